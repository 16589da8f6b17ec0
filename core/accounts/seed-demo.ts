import { randomBytes } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EntityManager } from "typeorm";
import {
  isDuplicate,
  Organization,
  type Store,
} from "../storage/database/index.js";
import { service } from "./audit.js";
import { createApiKey, SCOPES } from "./api-keys.js";
import { createOrganization, createUser } from "./organizations.js";

export interface DemoOwner {
  organizationId: string;
  userId: string;
}

export interface DemoSeed {
  store: Store;
  /** Gets the key in `demo-key.txt`, mode 0600. */
  dataFolder: string;
  /** Adds the example templates in the same transaction. */
  fill(tx: EntityManager, owner: DemoOwner): Promise<void>;
}

export interface Demo extends DemoOwner {
  key: string;
  keyFile: string;
}

/**
 * Fills an empty database with an organization, a user, a key with all scopes and what `fill` adds: all or nothing.
 * Null when there is an organization already, or when another process is doing the same.
 */
export async function seedDemo(seed: DemoSeed): Promise<Demo | null> {
  if (await hasOrganization(seed.store.read)) return null;
  try {
    return await seed.store.unitOfWork.run((tx) => insertDemo(tx, seed));
  } catch (error) {
    if (error === filledByAnother || isDuplicate(error)) return null;
    throw error;
  }
}

const filledByAnother = new Error("Another process filled the database.");

/**
 * The user's email address is unique: of several processes one inserts it. The others wait there and then fail; or,
 * where the first has committed just before, they find the user and its organization beside their own.
 * So the file is written by one only, and before the commit: a key that is in no file would be lost.
 */
async function insertDemo(
  tx: EntityManager,
  seed: DemoSeed,
): Promise<Demo | null> {
  if (await hasOrganization(tx)) return null;
  const organization = await createOrganization(
    tx,
    { name: "Demo organization", plan: "enterprise" },
    service,
  );
  const organizationId = organization.id;
  const user = await createUser(tx, organizationId, demoUser, service);
  if ((await tx.count(Organization)) > 1) throw filledByAnother;
  const owner = { organizationId, userId: user.id };
  await seed.fill(tx, owner);
  const { key } = await createApiKey(
    tx,
    organizationId,
    { scopes: SCOPES, name: "Demo key", userId: user.id },
    service,
  );
  const keyFile = join(seed.dataFolder, "demo-key.txt");
  await writePrivate(keyFile, `${key}\n`);
  return { ...owner, key, keyFile };
}

const demoUser = {
  name: "Demo user",
  email: "demo@platen.invalid",
  role: "owner",
} as const;

async function hasOrganization(read: EntityManager): Promise<boolean> {
  return read.exists(Organization);
}

/** A new file takes the place of an old one, so that its mode is right whatever was there. */
async function writePrivate(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  await rename(draft, file);
}
