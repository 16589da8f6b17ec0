// Folders of templates and of assets: one tree for each organization and kind.
export { Folders, folderSchema, requireFolder } from "./folders.js";
