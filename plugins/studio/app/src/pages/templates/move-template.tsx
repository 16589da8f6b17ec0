import { askPublic } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Fault } from "../../ui/notice.js";
import { useFolders } from "../folders/folder-tree.js";
import { MoveDialog } from "../folders/move-dialog.js";

interface MoveTemplateProps {
  template: { id: string; name: string; folderId: string | null };
  onMoved: () => unknown;
  onClose: () => void;
}

/** Puts a template into another folder. */
export function MoveTemplate(props: MoveTemplateProps) {
  const { template, onMoved, onClose } = props;
  const { data, fault, reload } = useFolders("template");
  const move = async (folderId: string | null) => {
    await askPublic(`templates/${template.id}`, "PATCH", { folderId });
    await onMoved();
  };
  if (data)
    return (
      <MoveDialog
        what={template.name}
        folders={data}
        from={template.folderId}
        onMove={move}
        onClose={onClose}
      />
    );
  if (!fault) return null;
  return (
    <Dialog title={`Move ${template.name}`} onClose={onClose}>
      <Fault
        what="The folders could not be read"
        why={fault}
        onRetry={reload}
      />
    </Dialog>
  );
}
