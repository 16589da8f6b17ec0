import { useState } from "preact/hooks";
import { useAction, FormEnd, Form } from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { Link, go, setQuery, whereNow } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { may } from "../../session.js";
import { AskFirst, Dialog } from "../../ui/dialog.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Fault, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { Deliveries } from "./deliveries.js";
import {
  eventsOf,
  type Webhook,
  WebhookState,
  bodyOf,
  orderOf,
  WebhookFields,
  SecretShown,
} from "./webhooks.js";

export function WebhookPage({ id }: { id: string }) {
  const at = `webhooks/${id}`;
  const hook = useResource(at, () => askPublic<Webhook>(at));
  const { data, fault, reload } = hook;
  useLive(reload, data !== null);
  return (
    <>
      <Link class="crumb" to="webhooks">
        <Icon name="back" size={16} />
        Webhooks
      </Link>
      {!data && <PageTitle title="Endpoint" />}
      {fault && (
        <Fault
          what="The endpoint could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && <Opened hook={data} onChange={reload} />}
    </>
  );
}

interface OpenedProps {
  hook: Webhook;
  onChange: () => Promise<void>;
}

function Opened({ hook, onChange }: OpenedProps) {
  return (
    <>
      <PageTitle
        title={hook.description || new URL(hook.url).host}
        lead={<code class="address">{hook.url}</code>}
      >
        <WebhookState hook={hook} />
      </PageTitle>
      <div class="stack">
        {!hook.isEnabled && hook.disabledReason !== null && (
          <Notice tone="warn" title="Nothing is sent to it">
            <p>{hook.disabledReason}</p>
          </Notice>
        )}
        <section class="card padded stack" aria-label="About it">
          <dl class="facts">
            <dt>It is told of</dt>
            <dd>{eventsOf(hook)}</dd>
            <dt>Created</dt>
            <dd>{momentOf(hook.createdAt)}</dd>
            {hook.previousSecretUntil !== null && (
              <>
                <dt>Old secret</dt>
                <dd>Signs too until {momentOf(hook.previousSecretUntil)}</dd>
              </>
            )}
          </dl>
          {may("owner") && <WebhookActions hook={hook} onChange={onChange} />}
        </section>
        <Deliveries hookId={hook.id} />
      </div>
    </>
  );
}

interface WebhookActionsProps {
  hook: Webhook;
  onChange: () => Promise<void>;
}

type Asked = "edit" | "rotate" | "delete" | null;

/** What an owner can do about an endpoint. */
function WebhookActions({ hook, onChange }: WebhookActionsProps) {
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

interface EditWebhookProps {
  hook: Webhook;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Changes an endpoint's address, events and description. */
function EditWebhook({ hook, onChange, onClose }: EditWebhookProps) {
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

interface RotateSecretProps {
  /** The endpoint's. */
  id: string;
  onChange: () => Promise<void>;
  onClose: () => void;
}

type End = "later" | "now";

const ends: [End, string][] = [
  ["later", "In a day"],
  ["now", "At once"],
];

/** Gives an endpoint a new secret, and shows it this once. */
function RotateSecret({ id, onChange, onClose }: RotateSecretProps) {
  const [end, setEnd] = useState<End>("later");
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const at = `webhooks/${id}/rotate-secret`;
    const body = { revokeNow: end === "now" };
    const made = await askPublic<{ secret: string }>(at, "POST", body);
    setSecret(made.secret);
    await onChange();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (secret !== null) return <SecretShown secret={secret} onClose={onClose} />;
  return (
    <Dialog title="A new secret?" onClose={close}>
      <Form onSend={run}>
        <EndField end={end} onChoose={setEnd} />
        <FormEnd
          act="Make a new secret"
          fault={fault}
          isBusy={isBusy}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}

interface EndFieldProps {
  end: End;
  onChoose: (end: End) => void;
}

/** When the secret that there is stops signing. */
function EndField({ end, onChoose }: EndFieldProps) {
  return (
    <div class="field">
      <span class="label">The old one ends</span>
      <Choices
        legend="The old one ends"
        options={ends}
        value={end}
        onChoose={onChoose}
      />
      <span class="hint">
        {end === "later"
          ? "Until then messages are signed with both, so that your program can change over."
          : "Your program refuses messages until it has the new one."}
      </span>
    </div>
  );
}
