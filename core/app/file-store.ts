import { join } from "node:path";
import type { Config } from "../../config/index.js";
import { shippedFileStores } from "../../plugins/index.js";
import { type FileStore, type Log, PlatenError } from "../plugin-api/index.js";
import { LocalFileStore } from "../storage/files/index.js";

/**
 * Opens the configured place for files and makes it ready. @throws PlatenError `invalid_request` for an address that
 * no plugin opens, `unavailable` for a place that cannot be used.
 */
export async function openFileStore(
  { fileStore, dataFolder }: Pick<Config, "fileStore" | "dataFolder">,
  log: Log,
): Promise<FileStore> {
  const files =
    fileStore === null
      ? new LocalFileStore(join(dataFolder, "files"))
      : await openElsewhere(fileStore, log);
  await files.prepare();
  return files;
}

async function openElsewhere(address: URL, log: Log): Promise<FileStore> {
  const scheme = address.protocol.replace(/:$/, "");
  const shipped = shippedFileStores.find(
    (fileStore) => fileStore.scheme === scheme,
  );
  if (shipped) return (await shipped.load()).open(address, { log });
  const schemes = shippedFileStores.map(
    (fileStore) => `${fileStore.scheme}://`,
  );
  throw new PlatenError(
    "invalid_request",
    `PLATEN_FILE_STORE begins with "${scheme}:", which no file store opens. There is ${schemes.join(", ")}.`,
  );
}
