import { createToken } from "../../lib/tokens.js";
import type {
  CleanupTask,
  Downloads,
  FileCleanup,
  StoredLinks,
  ThumbnailLinks,
} from "./index.js";

/** Registered by the process: files cannot import the capabilities whose tasks they are. */
export const CLEANUP_TASKS =
  createToken<readonly CleanupTask[]>("cleanup tasks");
export const FILE_CLEANUP = createToken<FileCleanup>("FileCleanup");
/** Links to the files of documents. */
export const STORED_LINKS = createToken<StoredLinks>("StoredLinks");
export const THUMBNAIL_LINKS = createToken<ThumbnailLinks>("ThumbnailLinks");
export const DOWNLOADS = createToken<Downloads>("Downloads");
