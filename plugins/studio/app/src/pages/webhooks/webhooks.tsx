import { useState } from "preact/hooks";
import { useAction, FormEnd, Form } from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { agoOf } from "../../format.js";
import { Link, place } from "../../router.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Dialog, ShownOnce } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";

interface Hooks {
  data: Webhook[];
  pagination: { total: number };
}

export function WebhooksPage() {
  const [isMaking, setMaking] = useState(false);
  const page = pageIn(place.value.searchParams);
  const at = `webhooks?page=${page}&pageSize=24`;
  const hooks = useResource(at, () => askPublic<Hooks>(at));
  const { data, fault, reload } = hooks;
  return (
    <>
      <PageTitle
        title="Webhooks"
        lead="Addresses of your programs, which are told what became of documents."
      >
        {data && may("owner") && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New endpoint
          </Button>
        )}
      </PageTitle>
      {fault && (
        <Fault
          what="The endpoints could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones count={3} />}
      {data && <Lines hooks={data} page={page} />}
      {isMaking && (
        <NewWebhook onMade={reload} onClose={() => setMaking(false)} />
      )}
    </>
  );
}

function Lines({ hooks, page }: { hooks: Hooks; page: number }) {
  if (hooks.pagination.total === 0)
    return (
      <Empty icon="webhooks" title="No endpoints yet">
        <p>
          {may("owner")
            ? "Give the address of a program; it gets a signed message when a document is made or fails."
            : "An owner of your organization can add one."}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {hooks.data.map((hook) => (
          <WebhookLine hook={hook} key={hook.id} />
        ))}
      </ul>
      <Pages page={page} total={hooks.pagination.total} what="endpoints" />
    </>
  );
}

export interface Webhook {
  id: string;
  url: string;
  description: string | null;
  events: string[];
  isEnabled: boolean;
  disabledReason: string | null;
  failingSince: string | null;
  previousSecretUntil: string | null;
  createdAt: string;
}

/** An endpoint in the list. */
function WebhookLine({ hook }: { hook: Webhook }) {
  return (
    <li class={`line ${hook.isEnabled ? "" : "over"}`}>
      <div class="words">
        <Link class="strong" to={`webhooks/${hook.id}`}>
          {hook.description || hook.url}
        </Link>
        {hook.description && <code class="muted">{hook.url}</code>}
        <span class="muted small">{eventsOf(hook)}</span>
      </div>
      <WebhookState hook={hook} />
    </li>
  );
}

/** In a word, how an endpoint is. */
export function WebhookState({ hook }: { hook: Webhook }) {
  const { isEnabled, failingSince } = hook;
  if (!isEnabled) return <span class="badge warn">Disabled</span>;
  if (failingSince !== null)
    return <span class="badge bad">Failing since {agoOf(failingSince)}</span>;
  return (
    <span class="badge good">
      <span class="dot" />
      Enabled
    </span>
  );
}

/** Which events it gets, as people call them. */
export function eventsOf({ events }: Webhook): string {
  if (eventWords.every(([type]) => events.includes(type))) return "Everything";
  const words = new Map(eventWords);
  return events.map((type) => words.get(type) ?? type).join(", ");
}

/** What an endpoint can be told of, as people call it. */
const eventWords: readonly (readonly [type: string, words: string])[] = [
  ["document.succeeded", "A document is made"],
  ["document.failed", "A document failed"],
  ["document.expired", "A document expired before it was made"],
  ["documents.completed", "A batch is complete"],
  ["signature.completed", "All have signed"],
  ["signature.declined", "Somebody declined to sign"],
  ["signature.expired", "The time to sign is over"],
];

interface NewWebhookProps {
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Registers an endpoint, and shows its secret this once. */
function NewWebhook({ onMade, onClose }: NewWebhookProps) {
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

/** An endpoint, as the form has it. */
interface WebhookOrder {
  url: string;
  description: string;
  events: readonly string[];
}

function firstWebhookOrder(): WebhookOrder {
  return { url: "", description: "", events: eventWords.map(([one]) => one) };
}

export function orderOf(hook: Webhook): WebhookOrder {
  const { url, description, events } = hook;
  return { url, description: description ?? "", events };
}

/** The request's body. */
export function bodyOf({ url, description, events }: WebhookOrder) {
  return {
    url: url.trim(),
    description: description.trim() === "" ? null : description.trim(),
    events,
  };
}

interface WebhookFieldsProps {
  order: WebhookOrder;
  onChange: (patch: Partial<WebhookOrder>) => void;
}

export function WebhookFields({ order, onChange }: WebhookFieldsProps) {
  return (
    <>
      <div class="field">
        <label for="webhook-url">Address</label>
        <input
          id="webhook-url"
          class="input"
          type="url"
          required
          maxLength={2048}
          placeholder="https://shop.example.com/platen"
          value={order.url}
          onInput={(event) => onChange({ url: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="webhook-description">What it is for</label>
        <input
          id="webhook-description"
          class="input"
          maxLength={500}
          value={order.description}
          onInput={(event) =>
            onChange({ description: event.currentTarget.value })
          }
        />
      </div>
      <Events
        chosen={order.events}
        onChoose={(events) => onChange({ events })}
      />
    </>
  );
}

function Events({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (events: string[]) => void;
}) {
  const turn = (type: string) =>
    onChoose(
      chosen.includes(type)
        ? chosen.filter((one) => one !== type)
        : [...chosen, type],
    );
  return (
    <fieldset class="scopes">
      <legend class="small">It is told when</legend>
      {eventWords.map(([type, words]) => (
        <label class="check" key={type}>
          <input
            type="checkbox"
            value={type}
            checked={chosen.includes(type)}
            onChange={() => turn(type)}
          />
          <span class="words">
            {words}
            <code class="muted small">{type}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface SecretShownProps {
  secret: string;
  onClose: () => void;
}

/** The only sight of an endpoint's new secret. */
export function SecretShown({ secret, onClose }: SecretShownProps) {
  return (
    <Dialog title="Its secret" onClose={onClose}>
      <ShownOnce
        secret={secret}
        what="secret"
        why="It is shown this once. Your program checks with it that messages come from here."
        onClose={onClose}
      />
    </Dialog>
  );
}
