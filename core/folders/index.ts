// Folders of templates and of assets: a tree for each kind and organization. Knows nothing of what lies in them but
// which folder it names.
export {
  type FolderChange,
  type FolderList,
  type FolderOwner,
  type FolderQuery,
  Folders,
  type NewFolder,
} from "./folders.js";
export type { FolderKind, FolderView } from "./folder-view.js";
export { requireFolder } from "./require-folder.js";
