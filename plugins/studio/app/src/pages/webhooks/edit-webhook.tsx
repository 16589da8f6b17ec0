import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { Notice } from "../../ui/notice.js";
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
        {fault && <Notice tone="bad" title={fault} />}
        <div class="dialog-end">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
