import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { ask } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { ShownOnce } from "../../ui/shown-once.js";
import { firstKeyOrder, keyBodyOf, KeyFields } from "./key-fields.js";

interface NewKeyProps {
  /** All that there are. */
  scopes: string[];
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Makes a key, and shows it this once. */
export function NewKey({ scopes, onMade, onClose }: NewKeyProps) {
  const [order, setOrder] = useState(firstKeyOrder);
  const [key, setKey] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const body = keyBodyOf(order, scopes);
    setKey((await ask<{ key: string }>("keys", "POST", body)).key);
    await onMade();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (key !== null) return <KeyShown secret={key} onClose={onClose} />;
  return (
    <Dialog title="New API key" onClose={close}>
      <Form onSend={run}>
        <KeyFields
          scopes={scopes}
          order={order}
          onChange={(patch) => setOrder({ ...order, ...patch })}
        />
        <FormEnd
          act="Create the key"
          fault={fault}
          isBusy={isBusy}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}

interface KeyShownProps {
  secret: string;
  onClose: () => void;
}

/** The only sight of a new key. */
function KeyShown({ secret, onClose }: KeyShownProps) {
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <ShownOnce
        secret={secret}
        what="key"
        why="It is shown this once and kept nowhere. Put it on your server."
        onClose={onClose}
      />
    </Dialog>
  );
}
