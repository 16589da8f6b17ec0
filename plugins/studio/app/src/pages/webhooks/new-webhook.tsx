import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { SecretShown } from "./secret-shown.js";
import { bodyOf, firstWebhookOrder, WebhookFields } from "./webhook-fields.js";

interface NewWebhookProps {
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Registers an endpoint, and shows its secret this once. */
export function NewWebhook({ onMade, onClose }: NewWebhookProps) {
  const [order, setOrder] = useState(firstWebhookOrder);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const made = await askPublic<{ secret: string }>(
      "webhooks",
      "POST",
      bodyOf(order),
    );
    setSecret(made.secret);
    await onMade();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (secret !== null) return <SecretShown secret={secret} onClose={onClose} />;
  return (
    <Dialog title="New endpoint" onClose={close}>
      <Form onSend={run}>
        <WebhookFields
          order={order}
          onChange={(patch) => setOrder({ ...order, ...patch })}
        />
        <FormEnd
          act="Create the endpoint"
          fault={fault}
          isBusy={isBusy}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}
