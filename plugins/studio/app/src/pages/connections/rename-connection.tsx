import { askPublic } from "../../api.js";
import { NameDialog } from "../../ui/name-dialog.js";
import type { Connection } from "./connection-line.js";

interface RenameConnectionProps {
  one: Connection;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Gives a connection another name. */
export function RenameConnection(props: RenameConnectionProps) {
  const { one, onChange, onClose } = props;
  const rename = async (name: string) => {
    await askPublic(`connections/${one.id}`, "PATCH", { name });
    await onChange();
  };
  return (
    <NameDialog
      title={`Rename ${one.name}`}
      name={one.name}
      act="Rename"
      onName={rename}
      onClose={onClose}
    />
  );
}
