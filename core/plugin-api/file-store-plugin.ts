import type { FileStore } from "./file-store.js";
import type { Log } from "./log.js";
import type { PluginMeta } from "./plugin.js";

/** A place for files outside of the service's own folder, chosen by the address in PLATEN_FILE_STORE. */
export interface FileStorePlugin {
  meta: PluginMeta & { kind: "file-store" };
  /** Of the addresses that it opens, without the colon: `s3`. */
  scheme: string;
  /**
   * Opens the store, and shows that it can be written.
   * @param address such as `s3://bucket/prefix?region=eu-central-1`.
   * @throws PlatenError `unavailable` that says what is missing and how to mend it.
   */
  open(address: URL, context: { log: Log }): Promise<FileStore>;
}
