// Folders of templates and of assets: one tree for each organization and kind.
export { Folders, requireFolder } from "./folders.js";
