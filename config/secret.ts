import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlatenError } from "../core/plugin-api/index.js";
import type { Config } from "./config.js";

/**
 * The secret that signs links and encrypts credentials: the configured one, or the one in the data folder's file
 * `secret` (mode 0600), made at the first start. Processes that start together end up with the same.
 */
export async function loadSecret(
  config: Pick<Config, "secret" | "dataFolder">,
): Promise<string> {
  if (config.secret !== null) return config.secret;
  const file = join(config.dataFolder, "secret");
  return (await readSecret(file)) ?? (await makeSecret(file));
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  throw new PlatenError(
    "unavailable",
    `The file ${file} holds no secret of at least 32 characters. Restore it from a backup; ` +
      "or delete it for a new one, which ends all links and saved credentials.",
  );
}

/** Written whole beside its place, then linked there, which fails when another process was first. */
async function makeSecret(file: string): Promise<string> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const secret = randomBytes(48).toString("base64url");
  await writeFile(draft, `${secret}\n`, { mode: 0o600, flag: "wx" });
  try {
    await link(draft, file);
    return secret;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return (await readSecret(file)) ?? (await makeSecret(file));
  } finally {
    await unlink(draft);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
