import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { go, setQuery, whereNow } from "../../router.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { toast } from "../../ui/toast.js";
import { EditWebhook } from "./edit-webhook.js";
import { RotateSecret } from "./rotate-secret.js";
import type { Webhook } from "./webhook-line.js";

interface WebhookActionsProps {
  hook: Webhook;
  onChange: () => Promise<void>;
}

type Asked = "edit" | "rotate" | "delete" | null;

/** What an owner can do about an endpoint. */
export function WebhookActions({ hook, onChange }: WebhookActionsProps) {
  const [asked, setAsked] = useState<Asked>(null);
  const at = `webhooks/${hook.id}`;
  const close = () => setAsked(null);
  const test = async () => {
    const isHere = whereNow();
    const sent = await askPublic<{ id: string }>(`${at}/test`, "POST");
    if (isHere()) setQuery({ delivery: sent.id });
    await onChange();
  };
  const turn = async () => {
    const isEnabled = !hook.isEnabled;
    await askPublic(at, "PATCH", { isEnabled });
    await onChange();
    toast(isEnabled ? "It is told again." : "Nothing is sent to it any more.");
  };
  return (
    <div class="row">
      <Button onPress={test}>Send a test</Button>
      <Button onPress={() => setAsked("edit")}>Change</Button>
      <Button onPress={turn}>{hook.isEnabled ? "Disable" : "Enable"}</Button>
      <Button onPress={() => setAsked("rotate")}>New secret</Button>
      <Button onPress={() => setAsked("delete")}>Delete</Button>
      {asked === "edit" && (
        <EditWebhook hook={hook} onChange={onChange} onClose={close} />
      )}
      {asked === "rotate" && (
        <RotateSecret id={hook.id} onChange={onChange} onClose={close} />
      )}
      {asked === "delete" && <DeleteWebhook at={at} onClose={close} />}
    </div>
  );
}

function DeleteWebhook({ at, onClose }: { at: string; onClose: () => void }) {
  const remove = async () => {
    const isHere = whereNow();
    await askPublic(at, "DELETE");
    if (isHere()) go("webhooks");
    toast("The endpoint was deleted.");
  };
  return (
    <AskFirst
      title="Delete the endpoint?"
      act="Delete"
      onAct={remove}
      onClose={onClose}
    >
      <p>Nothing is sent to it any more. This cannot be undone.</p>
    </AskFirst>
  );
}
