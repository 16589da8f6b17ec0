import { useState } from "preact/hooks";
import {
  Form,
  FormActions,
  InputField,
  toggleItem,
  useAction,
} from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { agoOf } from "../../format.js";
import { Link, place } from "../../router.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Dialog, SecretDialog } from "../../ui/dialog.js";
import { Icon } from "../../ui/icon.js";
import { Empty } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";
import { t } from "../../messages/index.js";

interface WebhookList {
  data: Webhook[];
  pagination: { total: number };
}

export function WebhooksPage() {
  const [isCreating, setCreating] = useState(false);
  const page = pageIn(place.value.searchParams);
  const at = `webhooks?page=${page}&pageSize=24`;
  const webhooks = useResource(at, () => askPublic<WebhookList>(at));
  const { data, fault, reload } = webhooks;
  return (
    <>
      <PageTitle title={t("shell.webhooks")} lead={t("webhooks.lead")}>
        {data && may("owner") && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            <Icon name="plus" />
            {t("webhooks.newEndpoint")}
          </Button>
        )}
      </PageTitle>
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("webhooks.couldntLoadEndpoints")}
        count={3}
      />
      {data && <WebhookRows webhooks={data} page={page} />}
      {isCreating && (
        <NewWebhook onCreated={reload} onClose={() => setCreating(false)} />
      )}
    </>
  );
}

function WebhookRows({
  webhooks,
  page,
}: {
  webhooks: WebhookList;
  page: number;
}) {
  if (webhooks.pagination.total === 0)
    return (
      <Empty icon="webhooks" title={t("webhooks.noEndpointsYet")}>
        <p>
          {may("owner")
            ? t("webhooks.noEndpointsHelp")
            : t("connections.ownersCanAdd")}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {webhooks.data.map((webhook) => (
          <WebhookRow webhook={webhook} key={webhook.id} />
        ))}
      </ul>
      <Pages page={page} total={webhooks.pagination.total} />
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

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { isEnabled, failingSince } = webhook;
  if (!isEnabled)
    return <span class="badge warn">{t("webhooks.disabled")}</span>;
  if (failingSince !== null)
    return (
      <span class="badge bad">
        {t("webhooks.failingSinceAgo", { ago: agoOf(failingSince) })}
      </span>
    );
  return (
    <span class="badge good">
      <span class="dot" />
      {t("webhooks.enabled")}
    </span>
  );
}

/** The labels of the subscribed events. */
export function describeEvents({ events }: Webhook): string {
  if (eventLabels.every(([type]) => events.includes(type)))
    return t("common.everything");
  const words = new Map(eventLabels);
  return events.map((type) => words.get(type) ?? type).join(", ");
}

/** Labels of the events that an endpoint can subscribe to. */
const eventLabels: readonly (readonly [type: string, words: string])[] = [
  ["document.succeeded", t("webhooks.documentCreated")],
  ["document.failed", t("webhooks.documentFailed")],
  ["document.expired", t("webhooks.documentExpired")],
  ["documents.completed", t("webhooks.batchCompleted")],
  ["signature.completed", t("webhooks.allSignersSigned")],
  ["signature.declined", t("webhooks.signerDeclined")],
  ["signature.expired", t("webhooks.signatureRequestExpired")],
];

interface NewWebhookProps {
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Creates an endpoint and shows its secret. */
function NewWebhook({ onCreated, onClose }: NewWebhookProps) {
  const [form, setForm] = useState(createWebhookForm);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const created = await askPublic<{ secret: string }>(
      "webhooks",
      "POST",
      toRequestBody(form),
    );
    setSecret(created.secret);
    await onCreated();
  });
  // The secret is shown only once, so the dialog stays open while the request runs.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (secret !== null)
    return <WebhookSecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t("webhooks.newEndpoint")} onClose={close}>
      <Form onSend={run}>
        <WebhookFields
          form={form}
          onChange={(patch) => setForm({ ...form, ...patch })}
        />
        <FormActions
          act={t("webhooks.createEndpoint")}
          fault={fault}
          isBusy={isBusy}
          onCancel={close}
        />
      </Form>
    </Dialog>
  );
}

/** Values of the form. */
interface WebhookForm {
  url: string;
  description: string;
  events: readonly string[];
}

function createWebhookForm(): WebhookForm {
  return { url: "", description: "", events: eventLabels.map(([one]) => one) };
}

export function toForm(webhook: Webhook): WebhookForm {
  const { url, description, events } = webhook;
  return { url, description: description ?? "", events };
}

/** Converts the form to the body of the request. */
export function toRequestBody({ url, description, events }: WebhookForm) {
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

export function WebhookFields({ form, onChange }: WebhookFieldsProps) {
  return (
    <>
      <InputField
        label={t("webhooks.url")}
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

/** Shows a new signing secret. */
export function WebhookSecretDialog(props: WebhookSecretDialogProps) {
  return (
    <SecretDialog
      {...props}
      title={t("webhooks.signingSecret")}
      copied={t("webhooks.secretCopied")}
      notice={t("webhooks.thisSecretIsShownOnly")}
    />
  );
}
