import { useState } from "preact/hooks";
import type { KeyInfo } from "../../../../../core/plugin-api/app-plugin.js";
import { useAction, FormEnd, Form } from "../ui/form.js";
import { ask } from "../api.js";
import { agoOf, dayOf } from "../format.js";
import { may } from "../session.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Choices } from "../ui/choices.js";
import { Dialog, ShownOnce } from "../ui/dialog.js";
import { Icon } from "../ui/icon.js";
import { Empty, Fault, Notice } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";

interface Keys {
  keys: KeyInfo[];
  scopes: string[];
}

export function KeysPage() {
  if (may("owner")) return <OwnersKeys />;
  return (
    <>
      <PageTitle title="API keys" />
      <Notice title="Keys are for owners">
        <p>Ask an owner of your organization for a key.</p>
      </Notice>
    </>
  );
}

function OwnersKeys() {
  const [isMaking, setMaking] = useState(false);
  const { data, fault, reload } = useResource("", () => ask<Keys>("keys"));
  return (
    <>
      <PageTitle
        title="API keys"
        lead="With a key, a program does what you allow it."
      >
        {data && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New key
          </Button>
        )}
      </PageTitle>
      {fault && !data && (
        <Fault what="The keys could not be read" why={fault} onRetry={reload} />
      )}
      {data && <KeyList keys={data.keys} all={data.scopes} onChange={reload} />}
      {data && isMaking && (
        <NewKey
          scopes={data.scopes}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function KeyList({
  keys,
  all,
  onChange,
}: {
  keys: KeyInfo[];
  all: string[];
  onChange: () => Promise<void>;
}) {
  const [ending, setEnding] = useState<KeyInfo | null>(null);
  if (keys.length === 0)
    return (
      <Empty icon="key" title="No keys yet">
        <p>Programs send a key with each request, in the header x-api-key.</p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {keys.toReversed().map((key) => (
          <KeyLine
            key={key.id}
            one={key}
            all={all}
            onRevoke={() => setEnding(key)}
          />
        ))}
      </ul>
      {ending && (
        <RevokeKey
          one={ending}
          onRevoked={onChange}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}

function KeyLine({
  one,
  all,
  onRevoke,
}: {
  one: KeyInfo;
  all: string[];
  onRevoke: () => void;
}) {
  const isOver =
    one.expiresAt !== null && Date.parse(one.expiresAt) < Date.now();
  const isGood = one.revokedAt === null && !isOver;
  return (
    <li class={`line key ${isGood ? "" : "over"}`}>
      <div class="words">
        <strong>{one.name}</strong>
        <code class="muted">{one.prefix}…</code>
        <span class="muted small">{scopeWords(one.scopes, all)}</span>
      </div>
      <div class="words muted small">
        <span>Made {dayOf(one.createdAt)}</span>
        <span>
          {one.lastUsedAt ? `Used ${agoOf(one.lastUsedAt)}` : "Never used"}
        </span>
        {one.expiresAt && <span>Ends {dayOf(one.expiresAt)}</span>}
      </div>
      <div class="row files">
        {one.revokedAt !== null && <span class="badge bad">Revoked</span>}
        {isOver && one.revokedAt === null && (
          <span class="badge warn">Expired</span>
        )}
        {isGood && (
          <Button label={`Revoke ${one.name}`} onPress={onRevoke}>
            Revoke
          </Button>
        )}
      </div>
    </li>
  );
}

function scopeWords(scopes: string[], all: string[]): string {
  return scopes.length === all.length ? "Everything" : scopes.join(", ");
}

interface NewKeyProps {
  /** All that there are. */
  scopes: string[];
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** Makes a key, and shows it this once. */
function NewKey({ scopes, onMade, onClose }: NewKeyProps) {
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

type Preset = "render" | "all" | "own";
type Life = "never" | "30" | "90" | "365";

/** The key to be made, as the form has it. */
interface KeyOrder {
  name: string;
  preset: Preset;
  /** Those chosen one by one. */
  own: readonly string[];
  life: Life;
}

const rendering = ["templates:read", "documents:read", "documents:write"];

const presets: [Preset, string][] = [
  ["render", "Make documents"],
  ["all", "Everything"],
  ["own", "Choose"],
];

const lives: [Life, string][] = [
  ["never", "Never"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
];

function firstKeyOrder(): KeyOrder {
  return { name: "", preset: "render", own: rendering, life: "never" };
}

/** The request's body. */
function keyBodyOf(
  { name, preset, own, life }: KeyOrder,
  all: readonly string[],
) {
  const scopes = { render: rendering, all, own }[preset];
  const end = Date.now() + Number(life) * 86_400_000;
  const expiresAt = life === "never" ? null : new Date(end).toISOString();
  return { name, scopes, expiresAt };
}

interface KeyFieldsProps {
  scopes: readonly string[];
  order: KeyOrder;
  onChange: (patch: Partial<KeyOrder>) => void;
}

function KeyFields({ scopes, order, onChange }: KeyFieldsProps) {
  return (
    <>
      <NameField name={order.name} onInput={(name) => onChange({ name })} />
      <div class="field">
        <span class="label">It may</span>
        <Choices
          legend="It may"
          options={presets}
          value={order.preset}
          onChoose={(preset) => onChange({ preset })}
        />
      </div>
      {order.preset === "own" && (
        <Scopes
          all={scopes}
          chosen={order.own}
          onChoose={(own) => onChange({ own })}
        />
      )}
      <div class="field">
        <span class="label">It ends after</span>
        <Choices
          legend="It ends after"
          options={lives}
          value={order.life}
          onChoose={(life) => onChange({ life })}
        />
      </div>
    </>
  );
}

function NameField({
  name,
  onInput,
}: {
  name: string;
  onInput: (name: string) => void;
}) {
  return (
    <div class="field">
      <label for="key-name">Name</label>
      <input
        id="key-name"
        class="input"
        required
        maxLength={200}
        autocomplete="off"
        placeholder="Where it is used, such as Web shop"
        value={name}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

function Scopes({
  all,
  chosen,
  onChoose,
}: {
  all: readonly string[];
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
}) {
  const turn = (scope: string) =>
    onChoose(
      chosen.includes(scope)
        ? chosen.filter((one) => one !== scope)
        : [...chosen, scope],
    );
  return (
    <fieldset class="scopes">
      <legend class="hidden-text">Permissions</legend>
      {all.map((scope) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={() => turn(scope)}
          />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  );
}

/** Asks first: a key that was revoked never works again. */
function RevokeKey({
  one,
  onRevoked,
  onClose,
}: {
  one: KeyInfo;
  onRevoked: () => Promise<void>;
  onClose: () => void;
}) {
  const revoke = async () => {
    await ask(`keys/${one.id}`, "DELETE");
    await onRevoked();
    onClose();
    toast(`${one.name} was revoked.`);
  };
  return (
    <Dialog title={`Revoke ${one.name}?`} onClose={onClose}>
      <p>
        Programs that use <code>{one.prefix}…</code> are refused from now on.
        This cannot be undone.
      </p>
      <div class="dialog-end">
        <Button onPress={onClose}>Keep it</Button>
        <Button kind="danger" onPress={revoke}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
