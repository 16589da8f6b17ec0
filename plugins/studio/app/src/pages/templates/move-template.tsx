import { askPublic } from "../../api.js";
import { MoveEntry } from "../folders/move-entry.js";

interface MoveTemplateProps {
  template: { id: string; name: string; folderId: string | null };
  onMoved: () => unknown;
  onClose: () => void;
}

/** Puts a template into another folder. */
export function MoveTemplate(props: MoveTemplateProps) {
  const { template, onMoved, onClose } = props;
  const move = async (folderId: string | null) => {
    await askPublic(`templates/${template.id}`, "PATCH", { folderId });
    await onMoved();
  };
  return (
    <MoveEntry
      kind="template"
      entry={template}
      onMove={move}
      onClose={onClose}
    />
  );
}
