// Stored files: where they lie, the links by which they are fetched, and their end. Knows no template and no HTTP.
export { type Download, Downloads } from "./downloads.js";
export { deleteUnnamed } from "./delete-unnamed.js";
export { deleteExpiredOutputs } from "./expired-outputs.js";
export { newOutputKey } from "./file-key.js";
export { FileSweeper } from "./file-sweeper.js";
export { LinkSigner } from "./link-signer.js";
export { LocalFileStore } from "./local-file-store.js";
export { deleteOrphanedOutputs } from "./orphaned-outputs.js";
export { StoredLinks } from "./stored-links.js";
export { ThumbnailLinks } from "./thumbnail-links.js";
