// Stored files: the local file store, links to files, and the deletion of expired files. Knows no templates and no HTTP.
export {
  type CleanupTask,
  deleteExpiredOutputs,
  deleteOrphanedOutputs,
  deleteOrphans,
  FileCleanup,
  CLEANUP_TASKS,
} from "./cleanup.js";
export {
  type Download,
  Downloads,
  LinkSigner,
  newOutputKey,
  StoredLinks,
  ThumbnailLinks,
} from "./links.js";
export { createText, FilesAndTexts, insertTexts } from "./document-texts.js";
export { LocalFileStore } from "./local-file-store.js";
