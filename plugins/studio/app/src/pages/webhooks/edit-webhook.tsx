import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { bodyOf, orderOf, WebhookFields } from "./webhook-fields.js";
import type { Webhook } from "./webhook-line.js";

interface EditWebhookProps {
  hook: Webhook;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Changes an endpoint's address, events and description. */
export function EditWebhook({ hook, onChange, onClose }: EditWebhookProps) {
  const [order, setOrder] = useState(() => orderOf(hook));
  const { isBusy, fault, run } = useAction(async () => {
    await askPublic(`webhooks/${hook.id}`, "PATCH", bodyOf(order));
    await onChange();
    onClose();
  });
  return (
    <Dialog title="Change the endpoint" onClose={onClose}>
      <Form onSend={run}>
        <WebhookFields
          order={order}
          onChange={(patch) => setOrder({ ...order, ...patch })}
        />
        <FormEnd act="Save" fault={fault} isBusy={isBusy} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
