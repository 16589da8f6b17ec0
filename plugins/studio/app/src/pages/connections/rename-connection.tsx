import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { Notice } from "../../ui/notice.js";
import type { Connection } from "./connection-line.js";

interface RenameConnectionProps {
  one: Connection;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Gives a connection another name. */
export function RenameConnection(props: RenameConnectionProps) {
  const { one, onChange, onClose } = props;
  const [name, setName] = useState(one.name);
  const { isBusy, fault, run } = useAction(async () => {
    await askPublic(`connections/${one.id}`, "PATCH", { name });
    await onChange();
    onClose();
  });
  return (
    <Dialog title={`Rename ${one.name}`} onClose={onClose}>
      <Form onSend={run}>
        <div class="field">
          <label for="new-name">Name</label>
          <input
            id="new-name"
            class="input"
            required
            maxLength={255}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        {fault && <Notice tone="bad" title={fault} />}
        <div class="dialog-end">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Rename
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
