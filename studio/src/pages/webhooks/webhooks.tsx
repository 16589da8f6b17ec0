import { useState } from "preact/hooks";
import { askPublic, type Schemas } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { t } from "../../messages/index.js";
import { askListPage, useLive, useResource } from "../../resource.js";
import { Link, place, go, setQuery, whereNow } from "../../router.js";
import { may } from "../../session.js";
import { Button } from "../../ui/button.js";
import { askFirst, FormDialog, SecretDialog } from "../../ui/dialog.js";
import { InputField, toggleItem, Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { LoadStatus } from "../../ui/loading.js";
import { Empty, Notice } from "../../ui/notice.js";
import { Crumb, PageTitle } from "../../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../../ui/list.js";
import { toast } from "../../ui/toast.js";
import { Deliveries } from "./deliveries.js";

export function WebhooksPage() {
  const page = pageIn(place.value.searchParams);
  const at = `webhooks?page=${page}&pageSize=24`;
  const webhooks = useResource(at, () => askListPage<Webhook>(at));
  const { data, reload } = webhooks;
  return (
    <>
      <PageTitle title={t("shell.webhooks")} lead={t("webhooks.lead")}>
        {data && may("owner") && (
          <Button
            kind="primary"
            dialog={(close) => (
              <NewWebhook onCreated={reload} onClose={close} />
            )}
          >
            <Icon name="plus" />
            {t("webhooks.newEndpoint")}
          </Button>
        )}
      </PageTitle>
      <PagedList
        resource={webhooks}
        what={t("webhooks.couldntLoadEndpoints")}
        count={3}
        empty={
          <Empty icon="webhooks" title={t("webhooks.noEndpointsYet")}>
            <p>
              {may("owner")
                ? t("webhooks.noEndpointsHelp")
                : t("connections.ownersCanAdd")}
            </p>
          </Empty>
        }
      >
        {(webhook) => <WebhookRow webhook={webhook} key={webhook.id} />}
      </PagedList>
    </>
  );
}

type Webhook = Schemas["Webhook"];

function WebhookRow({ webhook }: { webhook: Webhook }) {
  return (
    <li class={`line ${webhook.isEnabled ? "" : "over"}`}>
      <div class="words">
        <Link class="strong" to={`webhooks/${webhook.id}`}>
          {webhook.description || webhook.url}
        </Link>
        {webhook.description && <code class="muted">{webhook.url}</code>}
        <span class="muted small">{describeEvents(webhook)}</span>
      </div>
      <WebhookState webhook={webhook} />
    </li>
  );
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isEnabled, failingSince } = webhook;
  if (!isEnabled)
    return <span class="badge warn">{t("webhooks.disabled")}</span>;
  if (failingSince !== null)
    return (
      <span class="badge bad">
        {t("webhooks.failingSinceAgo", { ago: agoOf(failingSince) })}
      </span>
    );
  return <Badge tone="good">{t("webhooks.enabled")}</Badge>;
}

function describeEvents({ events }: Webhook): string {
  const hasDefaults = defaultEvents.every((type) => events.includes(type));
  const words = new Map(eventLabels);
  const named = hasDefaults
    ? events.filter((type) => optionalEvents.has(type))
    : events;
  return [
    ...(hasDefaults ? [t("common.everything")] : []),
    ...named.map((type) => words.get(type) ?? type),
  ].join(", ");
}

const eventLabels: readonly (readonly [type: string, words: string])[] = [
  ["document.succeeded", t("render.documentCreated")],
  ["document.failed", t("webhooks.documentFailed")],
  ["document.expired", t("webhooks.documentExpired")],
  ["documents.completed", t("webhooks.batchCompleted")],
  ["signature.completed", t("webhooks.allSignersSigned")],
  ["signature.declined", t("webhooks.signerDeclined")],
  ["signature.expired", t("webhooks.signatureRequestExpired")],
  ["document.saved", t("webhooks.documentSaved")],
  ["documents.saved", t("webhooks.batchSaved")],
];

/** New endpoints receive these only if somebody chooses them. */
const optionalEvents = new Set(["document.saved", "documents.saved"]);

const defaultEvents = eventLabels
  .map(([type]) => type)
  .filter((type) => !optionalEvents.has(type));

interface NewWebhookProps {
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Creates an endpoint and shows its secret. */
function NewWebhook({ onCreated, onClose }: NewWebhookProps) {
  const [form, setForm] = useState(createWebhookForm);
  const [secret, setSecret] = useState<string | null>(null);
  const create = async () => {
    const body = toRequestBody(form);
    const created = await askPublic<{ secret: string }>(
      "webhooks",
      "POST",
      body,
    );
    setSecret(created.secret);
    await onCreated();
  };
  if (secret !== null)
    return <WebhookSecretDialog secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={t("webhooks.newEndpoint")}
      act={t("webhooks.createEndpoint")}
      isKept
      onSend={create}
      onClose={onClose}
    >
      <WebhookFields
        form={form}
        onChange={(patch) => setForm({ ...form, ...patch })}
      />
    </FormDialog>
  );
}

interface WebhookForm {
  url: string;
  description: string;
  events: readonly string[];
}

function createWebhookForm(): WebhookForm {
  return { url: "", description: "", events: defaultEvents };
}

function toForm(webhook: Webhook): WebhookForm {
  const { url, description, events } = webhook;
  return { url, description: description ?? "", events };
}

function toRequestBody({ url, description, events }: WebhookForm) {
  return {
    url: url.trim(),
    description: description.trim() === "" ? null : description.trim(),
    events,
  };
}

interface WebhookFieldsProps {
  form: WebhookForm;
  onChange: (patch: Partial<WebhookForm>) => void;
}

function WebhookFields({ form, onChange }: WebhookFieldsProps) {
  return (
    <>
      <InputField
        label={t("common.url")}
        id="webhook-url"
        type="url"
        required
        maxLength={2048}
        placeholder="https://shop.example.com/platen"
        value={form.url}
        onChange={(url) => onChange({ url })}
      />
      <InputField
        label={t("common.description")}
        id="webhook-description"
        maxLength={500}
        value={form.description}
        onChange={(description) => onChange({ description })}
      />
      <Events
        chosen={form.events}
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
  return (
    <fieldset class="scopes">
      <legend class="small">{t("webhooks.events")}</legend>
      {eventLabels.map(([type, words]) => (
        <label class="check" key={type}>
          <input
            type="checkbox"
            value={type}
            checked={chosen.includes(type)}
            onChange={() => onChoose(toggleItem(chosen, type))}
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

interface WebhookSecretDialogProps {
  secret: string;
  onClose: () => void;
}

function WebhookSecretDialog(props: WebhookSecretDialogProps) {
  return (
    <SecretDialog
      {...props}
      title={t("webhooks.signingSecret")}
      copied={t("webhooks.secretCopied")}
      notice={t("webhooks.thisSecretIsShownOnly")}
    />
  );
}

export function WebhookPage({ id }: { id: string }) {
  const at = `webhooks/${id}`;
  const webhook = useResource(at, () => askPublic<Webhook>(at));
  const { data, fault, reload } = webhook;
  useLive(`webhook:${id}`, reload, data !== null);
  return (
    <>
      <Crumb to="webhooks">{t("shell.webhooks")}</Crumb>
      {!data && <PageTitle title={t("webhooks.endpoint")} />}
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("webhooks.couldntLoadEndpoint")}
        count={3}
      />
      {data && <WebhookDetails webhook={data} onChange={reload} />}
    </>
  );
}

interface WebhookDetailsProps {
  webhook: Webhook;
  onChange: () => Promise<void>;
}

function WebhookDetails({ webhook, onChange }: WebhookDetailsProps) {
  return (
    <>
      <PageTitle
        title={webhook.description || new URL(webhook.url).host}
        lead={<code class="address">{webhook.url}</code>}
      >
        <WebhookState webhook={webhook} />
      </PageTitle>
      <div class="stack">
        {!webhook.isEnabled && webhook.disabledReason !== null && (
          <Notice tone="warn" title={t("webhooks.endpointDisabled")}>
            <p>{webhook.disabledReason}</p>
          </Notice>
        )}
        <section class="card padded stack" aria-label={t("templates.details")}>
          <dl class="facts">
            <dt>{t("webhooks.events")}</dt>
            <dd>{describeEvents(webhook)}</dd>
            <dt>{t("common.created")}</dt>
            <dd>{momentOf(webhook.createdAt)}</dd>
            {webhook.previousSecretUntil !== null && (
              <>
                <dt>{t("webhooks.previousSecret")}</dt>
                <dd>
                  {t("webhooks.alsoValidUntilTime", {
                    time: momentOf(webhook.previousSecretUntil),
                  })}
                </dd>
              </>
            )}
          </dl>
          {may("owner") && (
            <WebhookActions webhook={webhook} onChange={onChange} />
          )}
        </section>
        <Deliveries webhookId={webhook.id} />
      </div>
    </>
  );
}

function WebhookActions({ webhook, onChange }: WebhookDetailsProps) {
  const at = `webhooks/${webhook.id}`;
  const test = async () => {
    const isHere = whereNow();
    const sent = await askPublic<{ id: string }>(`${at}/test`, "POST");
    if (isHere()) setQuery({ delivery: sent.id });
    await onChange();
  };
  const remove = async () => {
    const isHere = whereNow();
    await askPublic(at, "DELETE");
    if (isHere()) go("webhooks");
    toast(t("webhooks.endpointWasDeleted"));
  };
  const toggle = async () => {
    const isEnabled = !webhook.isEnabled;
    await askPublic(at, "PATCH", { isEnabled });
    await onChange();
    toast(
      isEnabled
        ? t("webhooks.endpointEnabled")
        : t("webhooks.endpointWasDisabled"),
    );
  };
  return (
    <div class="row">
      <Button onPress={test}>{t("webhooks.sendTest")}</Button>
      <Button
        dialog={(onClose) => (
          <EditWebhook {...{ webhook, onChange, onClose }} />
        )}
      >
        {t("common.change")}
      </Button>
      <Button onPress={toggle}>
        {webhook.isEnabled ? t("webhooks.disable") : t("webhooks.enable")}
      </Button>
      <Button
        dialog={(onClose) => (
          <RotateSecret {...{ webhook, onChange, onClose }} />
        )}
      >
        {t("webhooks.rotateSecret")}
      </Button>
      <Button
        dialog={askFirst({
          title: t("webhooks.deleteEndpoint"),
          text: t("webhooks.noMoreMessagesAreSent"),
          act: t("common.delete"),
          onAct: remove,
        })}
      >
        {t("common.delete")}
      </Button>
    </div>
  );
}

interface WebhookDialogProps extends WebhookDetailsProps {
  onClose: () => void;
}

function EditWebhook({ webhook, onChange, onClose }: WebhookDialogProps) {
  const [form, setForm] = useState(() => toForm(webhook));
  const save = async () => {
    await askPublic(`webhooks/${webhook.id}`, "PATCH", toRequestBody(form));
    await onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t("webhooks.editEndpoint")}
      act={t("common.save")}
      onSend={save}
      onClose={onClose}
    >
      <WebhookFields
        form={form}
        onChange={(patch) => setForm({ ...form, ...patch })}
      />
    </FormDialog>
  );
}

type End = "later" | "now";

const ends: [End, string][] = [
  ["later", t("webhooks.in24Hours")],
  ["now", t("webhooks.immediately")],
];

function RotateSecret({ webhook, onChange, onClose }: WebhookDialogProps) {
  const [end, setEnd] = useState<End>("later");
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async () => {
    const at = `webhooks/${webhook.id}/rotate-secret`;
    const body = { revokeNow: end === "now" };
    const created = await askPublic<{ secret: string }>(at, "POST", body);
    setSecret(created.secret);
    await onChange();
  };
  if (secret !== null)
    return <WebhookSecretDialog secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={t("webhooks.rotateSecretQuestion")}
      act={t("webhooks.rotateSecret")}
      isKept
      onSend={rotate}
      onClose={onClose}
    >
      <div class="field">
        <span class="label">{t("webhooks.oldSecretExpires")}</span>
        <Choices
          legend={t("webhooks.oldSecretExpires")}
          options={ends}
          value={end}
          onChoose={setEnd}
        />
        <span class="hint">
          {end === "later"
            ? t("webhooks.rotateLaterHelp")
            : t("webhooks.rotateNowHelp")}
        </span>
      </div>
    </FormDialog>
  );
}
