import { askPublic } from "../../api.js";
import { type FolderPlace, placeAsked } from "./folder-place.js";
import { type FolderKind, useFolders } from "./folder-tree.js";
import type { Library } from "./library.js";

/**
 * The folders of a kind, and the place that the address asks for.
 * @param onMoved reads what is shown again.
 */
export function useLibrary(
  kind: FolderKind,
  onMoved: () => Promise<void>,
): Library {
  const folders = useFolders(kind);
  const page = `${kind}s`;
  return {
    kind,
    page,
    words: { all: `All ${page}` },
    folders: folders.data ?? [],
    place: placeAsked(),
    onFolders: folders.reload,
    onDrop: async (id, to) => {
      await drop(`${page}/${id}`, to);
      await onMoved();
    },
  };
}

/** Where a card was let go. */
async function drop(at: string, { show, folderId }: FolderPlace) {
  if (show === "trash") await askPublic(at, "DELETE");
  else await askPublic(at, "PATCH", { folderId });
}
