import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Finding } from "../cli/services.js";
import type { FileStore } from "../plugin-api/index.js";
import type { DoctorContext } from "./doctor.js";
import { openFileStore } from "./open-file-store.js";

const check = "file store";

/** Puts a small file, reads it and deletes it. */
export async function checkFileStore({
  config,
  log,
}: DoctorContext): Promise<Finding[]> {
  const { fileStore } = config;
  if (fileStore === null && !(await isThere(config.dataFolder)))
    return [
      {
        check,
        state: "ok",
        message: "will be created at the first start",
        fix: null,
      },
    ];
  const place = fileStore === null ? "in the data folder" : placeOf(fileStore);
  const fix =
    fileStore === null
      ? "Check the folder `files` in PLATEN_DATA: its owner, its permissions, its disk."
      : "Check PLATEN_FILE_STORE: the address, the key, and its permissions to put, get and delete.";
  try {
    const fault = await tryOut(await openFileStore(config, log));
    return fault === null
      ? [{ check, state: "ok", message: place, fix: null }]
      : [{ check, state: "fail", message: `${place}: ${fault}`, fix }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ check, state: "fail", message: `${place}: ${reason}`, fix }];
  }
}

/** @returns what was wrong; null when nothing was. */
async function tryOut(files: FileStore): Promise<string | null> {
  const key = `outputs/doctor-${randomBytes(12).toString("hex")}.txt`;
  const bytes = randomBytes(64);
  await files.put(key, bytes);
  const found = await files.open(key);
  const read = found && (await buffer(found.stream));
  await files.delete(key);
  if (!read?.equals(bytes))
    return "a file read back differs from what was written.";
  return (await files.size(key)) === null ? null : "a file was not deleted.";
}

/** Without the key in it. */
function placeOf({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => null)) !== null;
}
