import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { Icon } from "../../ui/icon.js";
import type { PlacedFolder } from "./folder-tree.js";

interface MoveDialogProps {
  /** The name of what is moved. */
  what: string;
  folders: readonly PlacedFolder[];
  /** Those into which it cannot go. */
  without?: readonly PlacedFolder[];
  /** Where it is now. */
  from: string | null;
  onMove: (folderId: string | null) => Promise<void>;
  onClose: () => void;
}

/** Asks into which folder something is to go. */
export function MoveDialog(props: MoveDialogProps) {
  const { what, folders, without = [], from, onMove, onClose } = props;
  const [to, setTo] = useState(from);
  const { isBusy, fault, run } = useAction(async () => {
    if (to !== from) await onMove(to);
    onClose();
  });
  const offered = folders.filter((one) => !without.includes(one));
  return (
    <Dialog title={`Move ${what}`} onClose={onClose}>
      <Form onSend={run}>
        <fieldset class="places">
          <legend class="hidden-text">Folder</legend>
          <Place
            words="No folder"
            isChosen={to === null}
            onChoose={() => setTo(null)}
          />
          {offered.map(({ id, name, depth }) => (
            <Place
              words={name}
              depth={depth}
              isChosen={to === id}
              onChoose={() => setTo(id)}
              key={id}
            />
          ))}
        </fieldset>
        <FormEnd act="Move" fault={fault} isBusy={isBusy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface PlaceProps {
  words: string;
  depth?: number;
  isChosen: boolean;
  onChoose: () => void;
}

function Place({ words, depth = 0, isChosen, onChoose }: PlaceProps) {
  return (
    <label class="place" style={{ "--depth": String(depth) }}>
      <input
        type="radio"
        name="folder"
        checked={isChosen}
        onChange={onChoose}
      />
      <Icon name="folder" size={18} />
      {words}
    </label>
  );
}
