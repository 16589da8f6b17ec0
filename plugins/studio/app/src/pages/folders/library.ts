import type { FolderPlace } from "./folder-place.js";
import type { FolderKind, PlacedFolder } from "./folder-tree.js";

/** What is kept in folders, and how a page shows it. */
export interface Library {
  kind: FolderKind;
  /** The page's path. */
  page: string;
  words: { all: string };
  folders: readonly PlacedFolder[];
  place: FolderPlace;
  /** Reads the folders again. */
  onFolders: () => Promise<void>;
  /** Puts an entry where it was let go: into a folder, out of all, or into the trash. */
  onDrop: (id: string, to: FolderPlace) => Promise<void>;
}
