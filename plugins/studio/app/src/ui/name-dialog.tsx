import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { useAction } from "../action.js";
import { Dialog } from "./dialog.js";
import { Form } from "./form.js";
import { FormEnd } from "./form-end.js";

interface NameDialogProps {
  title: string;
  /** What kind of name it is. */
  label?: string;
  hint?: string;
  /** The name that it has now. */
  name?: string;
  /** The button that does it. */
  act: string;
  onName: (name: string) => Promise<void>;
  onClose: () => void;
  /** What else there is to know of it. */
  children?: ComponentChildren;
}

/** Asks for a name; why it is refused is said in place. */
export function NameDialog(props: NameDialogProps) {
  const { title, label = "Name", hint, name: before = "", act } = props;
  const { onName, onClose, children } = props;
  const id = useId();
  const [name, setName] = useState(before);
  const { isBusy, fault, run } = useAction(async () => {
    await onName(name.trim());
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSend={run}>
        <div class="field">
          <label for={id}>{label}</label>
          <input
            id={id}
            class="input"
            required
            maxLength={255}
            pattern=".*\S.*"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {hint !== undefined && <span class="hint">{hint}</span>}
        </div>
        {children}
        <FormEnd act={act} fault={fault} isBusy={isBusy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
