import { Dialog } from "../../ui/dialog.js";
import { Fault } from "../../ui/notice.js";
import { type FolderKind, useFolders } from "./folder-tree.js";
import { MoveDialog } from "./move-dialog.js";

interface MoveEntryProps {
  kind: FolderKind;
  entry: { name: string; folderId: string | null };
  onMove: (folderId: string | null) => Promise<void>;
  onClose: () => void;
}

/** Reads the folders, and asks into which of them an entry is to go. */
export function MoveEntry({ kind, entry, onMove, onClose }: MoveEntryProps) {
  const { data, fault, reload } = useFolders(kind);
  if (data)
    return (
      <MoveDialog
        what={entry.name}
        folders={data}
        from={entry.folderId}
        onMove={onMove}
        onClose={onClose}
      />
    );
  if (!fault) return null;
  return (
    <Dialog title={`Move ${entry.name}`} onClose={onClose}>
      <Fault
        what="The folders could not be read"
        why={fault}
        onRetry={reload}
      />
    </Dialog>
  );
}
