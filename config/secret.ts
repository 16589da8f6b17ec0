import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PlatenError } from "../core/plugin-api/index.js";
import type { Config } from "./config.js";

/**
 * The secret that signs links and encrypts credentials: the configured one, or the file `secret` in the data folder
 * (mode 0600), which is created at the first start. Processes that start together get the same secret.
 */
export async function loadSecret(
  config: Pick<Config, "secret" | "dataFolder">,
): Promise<string> {
  if (config.secret !== null) return config.secret;
  const file = join(config.dataFolder, "secret");
  return (await readSecret(file)) ?? (await createSecret(file));
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const secret = (await readFile(file, "utf8")).trim();
    if (secret.length >= 32) return secret;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return null;
    throw error;
  }
  throw new PlatenError(
    "unavailable",
    `The file ${file} does not contain a secret of at least 32 characters. Restore it from a backup, ` +
      "or delete it to create a new one, which invalidates all links and saved credentials.",
  );
}

/** Writes a temporary file and links it, which fails when another process was faster. */
async function createSecret(file: string): Promise<string> {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const secret = randomBytes(48).toString("base64url");
  await writeFile(temporary, `${secret}\n`, { mode: 0o600, flag: "wx" });
  try {
    await link(temporary, file);
    return secret;
  } catch (error) {
    if (getErrorCode(error) !== "EEXIST") throw error;
    return (await readSecret(file)) ?? (await createSecret(file));
  } finally {
    await unlink(temporary);
  }
}

function getErrorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
