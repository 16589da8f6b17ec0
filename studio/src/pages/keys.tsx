import { useState } from "preact/hooks";
import type { KeyInfo } from "../../../core/accounts/views.js";
import { clock } from "../../../core/lib/clock.js";
import { toggleItem, LabeledChoices, InputField } from "../ui/form.js";
import { ask } from "../api.js";
import { agoOf, dayOf } from "../format.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { askFirst, FormDialog, SecretDialog } from "../ui/dialog.js";
import { Icon } from "../ui/icon.js";
import { Empty, Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

interface Keys {
  keys: KeyInfo[];
  scopes: string[];
}

export function KeysPage() {
  return (
    <OwnersOnly title={t("shell.apiKeys")}>
      <KeyManager />
    </OwnersOnly>
  );
}

function KeyManager() {
  const { data, fault, reload } = useResource("", () => ask<Keys>("keys"));
  return (
    <>
      <PageTitle title={t("shell.apiKeys")} lead={t("keys.lead")}>
        {data && (
          <Button
            kind="primary"
            dialog={(close) => (
              <NewKey scopes={data.scopes} onCreated={reload} onClose={close} />
            )}
          >
            <Icon name="plus" />
            {t("keys.newKey")}
          </Button>
        )}
      </PageTitle>
      {fault && !data && (
        <Fault what={t("keys.couldntLoadKeys")} why={fault} onRetry={reload} />
      )}
      {data && (
        <KeyTable keys={data.keys} all={data.scopes} onChange={reload} />
      )}
    </>
  );
}

function KeyTable({
  keys,
  all,
  onChange,
}: {
  keys: KeyInfo[];
  all: string[];
  onChange: () => Promise<void>;
}) {
  if (keys.length === 0)
    return (
      <Empty icon="key" title={t("keys.noKeysYet")}>
        <p>{t("keys.noKeysHelp")}</p>
      </Empty>
    );
  return (
    <ul class="card lines">
      {keys.toReversed().map((key) => (
        <KeyLine key={key.id} apiKey={key} all={all} onChange={onChange} />
      ))}
    </ul>
  );
}

function KeyLine({
  apiKey,
  all,
  onChange,
}: {
  apiKey: KeyInfo;
  all: string[];
  onChange: () => Promise<void>;
}) {
  const { id, name, prefix } = apiKey;
  const revoke = askFirst({
    title: t("keys.revokeNameQuestion", { name }),
    text: rich("keys.revokeWarning", {}, { prefix }),
    act: t("keys.revoke"),
    onAct: async () => {
      await ask(`keys/${id}`, "DELETE");
      await onChange();
      toast(t("keys.nameWasRevoked", { name }));
    },
  });
  const isExpired =
    apiKey.expiresAt !== null && Date.parse(apiKey.expiresAt) < clock.now();
  const isActive = apiKey.revokedAt === null && !isExpired;
  return (
    <li class={`line key ${isActive ? "" : "over"}`}>
      <div class="words">
        <strong>{name}</strong>
        <code class="muted">{prefix}…</code>
        <span class="muted small">
          {apiKey.scopes.length === all.length
            ? t("common.everything")
            : apiKey.scopes.join(", ")}
        </span>
      </div>
      <div class="words muted small">
        <span>{t("keys.createdDate", { date: dayOf(apiKey.createdAt) })}</span>
        <span>
          {apiKey.lastUsedAt
            ? t("keys.usedAgo", { ago: agoOf(apiKey.lastUsedAt) })
            : t("keys.neverUsed")}
        </span>
        {apiKey.networks && (
          <span>
            {t("keys.onlyFrom", { networks: apiKey.networks.join(", ") })}
          </span>
        )}
        {apiKey.expiresAt && (
          <span>
            {t("keys.expiresDate", { date: dayOf(apiKey.expiresAt) })}
          </span>
        )}
      </div>
      <div class="row files">
        {apiKey.revokedAt !== null && (
          <span class="badge bad">{t("keys.revoked")}</span>
        )}
        {isExpired && apiKey.revokedAt === null && (
          <span class="badge warn">{t("common.expired")}</span>
        )}
        {isActive && (
          <Button label={t("keys.revokeName", { name })} dialog={revoke}>
            {t("keys.revoke")}
          </Button>
        )}
      </div>
    </li>
  );
}

interface NewKeyProps {
  /** All available scopes. */
  scopes: string[];
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Creates a key and shows it. */
function NewKey({ scopes, onCreated, onClose }: NewKeyProps) {
  const [form, setForm] = useState(createKeyForm);
  const [key, setKey] = useState<string | null>(null);
  const create = async () => {
    const body = toRequestBody(form, scopes);
    setKey((await ask<{ key: string }>("keys", "POST", body)).key);
    await onCreated();
  };
  if (key !== null)
    return (
      <SecretDialog
        title={t("keys.yourNewKey")}
        secret={key}
        copied={t("keys.keyCopied")}
        notice={t("keys.thisKeyIsShownOnly")}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title={t("keys.newApiKey")}
      act={t("keys.createKey")}
      isKept
      onSend={create}
      onClose={onClose}
    >
      <KeyFields
        scopes={scopes}
        form={form}
        onChange={(patch) => setForm({ ...form, ...patch })}
      />
    </FormDialog>
  );
}

type Preset = "render" | "all" | "custom";
type Lifetime = "never" | "30" | "90" | "365";

interface KeyForm {
  name: string;
  preset: Preset;
  /** Scopes of the preset "custom". */
  custom: readonly string[];
  lifetime: Lifetime;
  /** Separated by commas or spaces; empty: everywhere. */
  networks: string;
}

const renderScopes = ["templates:read", "documents:read", "documents:write"];

const presets: [Preset, string][] = [
  ["render", t("keys.createDocuments")],
  ["all", t("keys.fullAccess")],
  ["custom", t("common.custom")],
];

const lifetimes: [Lifetime, string][] = [
  ["never", t("keys.never")],
  ["30", t("keys.n30Days")],
  ["90", t("keys.n90Days")],
  ["365", t("keys.n1Year")],
];

function createKeyForm(): KeyForm {
  return {
    name: "",
    preset: "render",
    custom: renderScopes,
    lifetime: "never",
    networks: "",
  };
}

function toRequestBody(
  { name, preset, custom, lifetime, networks }: KeyForm,
  all: readonly string[],
) {
  const scopes = { render: renderScopes, all, custom }[preset];
  const end = clock.now() + Number(lifetime) * 86_400_000;
  const expiresAt = lifetime === "never" ? null : new Date(end).toISOString();
  const words = networks.split(/[\s,]+/).filter((word) => word !== "");
  return { name, scopes, expiresAt, networks: words };
}

interface KeyFieldsProps {
  scopes: readonly string[];
  form: KeyForm;
  onChange: (patch: Partial<KeyForm>) => void;
}

function KeyFields({ scopes, form, onChange }: KeyFieldsProps) {
  return (
    <>
      <InputField
        label={t("common.name")}
        id="key-name"
        required
        maxLength={200}
        autocomplete="off"
        placeholder={t("keys.whereItIsUsedSuch")}
        value={form.name}
        onChange={(name) => onChange({ name })}
      />
      <LabeledChoices
        label={t("common.permissions")}
        options={presets}
        value={form.preset}
        onChoose={(preset) => onChange({ preset })}
      />
      {form.preset === "custom" && (
        <Scopes
          all={scopes}
          chosen={form.custom}
          onChoose={(custom) => onChange({ custom })}
        />
      )}
      <LabeledChoices
        label={t("common.expires")}
        options={lifetimes}
        value={form.lifetime}
        onChoose={(lifetime) => onChange({ lifetime })}
      />
      <InputField
        label={t("keys.networks")}
        id="key-networks"
        maxLength={2000}
        autocomplete="off"
        placeholder={t("keys.networksPlaceholder")}
        value={form.networks}
        onChange={(networks) => onChange({ networks })}
      />
    </>
  );
}

const scopeLabels: Readonly<Record<string, string>> = {
  "templates:read": t("keys.readTemplates"),
  "templates:write": t("keys.writeTemplates"),
  "documents:read": t("keys.readDocuments"),
  "documents:write": t("keys.writeDocuments"),
  "webhooks:read": t("keys.readWebhooks"),
  "webhooks:write": t("keys.writeWebhooks"),
  "connections:read": t("keys.readConnections"),
  "connections:write": t("keys.writeConnections"),
  "account:read": t("keys.readAccount"),
};

function Scopes({
  all,
  chosen,
  onChoose,
}: {
  all: readonly string[];
  chosen: readonly string[];
  onChoose: (scopes: string[]) => void;
}) {
  return (
    <fieldset class="scopes">
      <legend class="hidden-text">{t("keys.scopes")}</legend>
      {all.map((scope) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={() => onChoose(toggleItem(chosen, scope))}
          />
          <span>
            {scopeLabels[scope]} <code>{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
