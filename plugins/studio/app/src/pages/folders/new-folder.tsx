import { askPublic } from "../../api.js";
import { NameDialog } from "../../ui/name-dialog.js";
import { whereNow } from "../../router.js";
import { showPlace } from "./folder-place.js";
import type { Folder } from "./folder-tree.js";
import type { Library } from "./library.js";

interface NewFolderProps {
  library: Library;
  /** In which it is to stand; null: at the top. */
  parentId: string | null;
  onClose: () => void;
}

/** Makes a folder and opens it. */
export function NewFolder({ library, parentId, onClose }: NewFolderProps) {
  const make = async (name: string) => {
    const { kind } = library;
    const order = { name, kind, parentId };
    const isHere = whereNow();
    const { id } = await askPublic<Folder>("folders", "POST", order);
    await library.onFolders();
    if (isHere()) showPlace({ show: "folder", folderId: id });
  };
  return (
    <NameDialog
      title="New folder"
      act="Create the folder"
      onName={make}
      onClose={onClose}
    />
  );
}
