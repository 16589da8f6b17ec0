import { useState } from "preact/hooks";
import { Form, FormActions, useAction } from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { go, Link, setQuery, whereNow } from "../../router.js";
import { useLive, useResource } from "../../resource.js";
import { may } from "../../session.js";
import { ConfirmDialog, Dialog } from "../../ui/dialog.js";
import { LoadStatus } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { Deliveries } from "./deliveries.js";
import {
  describeEvents,
  toForm,
  toRequestBody,
  type Webhook,
  WebhookFields,
  WebhookSecretDialog,
  WebhookState,
} from "./webhooks.js";
import { t } from "../../messages/index.js";

export function WebhookPage({ id }: { id: string }) {
  const at = `webhooks/${id}`;
  const webhook = useResource(at, () => askPublic<Webhook>(at));
  const { data, fault, reload } = webhook;
  useLive(reload, data !== null);
  return (
    <>
      <Link class="crumb" to="webhooks">
        <Icon name="back" size={16} />
        {t("shell.webhooks")}
      </Link>
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

interface WebhookActionsProps {
  webhook: Webhook;
  onChange: () => Promise<void>;
}

type DialogName = "edit" | "rotate" | "delete" | null;

function WebhookActions({ webhook, onChange }: WebhookActionsProps) {
  const [openDialog, setOpenDialog] = useState<DialogName>(null);
  const at = `webhooks/${webhook.id}`;
  const close = () => setOpenDialog(null);
  const test = async () => {
    const isHere = whereNow();
    const sent = await askPublic<{ id: string }>(`${at}/test`, "POST");
    if (isHere()) setQuery({ delivery: sent.id });
    await onChange();
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
      <Button onPress={() => setOpenDialog("edit")}>
        {t("common.change")}
      </Button>
      <Button onPress={toggle}>
        {webhook.isEnabled ? t("webhooks.disable") : t("webhooks.enable")}
      </Button>
      <Button onPress={() => setOpenDialog("rotate")}>
        {t("webhooks.rotateSecret")}
      </Button>
      <Button onPress={() => setOpenDialog("delete")}>
        {t("common.delete")}
      </Button>
      {openDialog === "edit" && (
        <EditWebhook webhook={webhook} onChange={onChange} onClose={close} />
      )}
      {openDialog === "rotate" && (
        <RotateSecret id={webhook.id} onChange={onChange} onClose={close} />
      )}
      {openDialog === "delete" && <DeleteWebhook at={at} onClose={close} />}
    </div>
  );
}

function DeleteWebhook({ at, onClose }: { at: string; onClose: () => void }) {
  const remove = async () => {
    const isHere = whereNow();
    await askPublic(at, "DELETE");
    if (isHere()) go("webhooks");
    toast(t("webhooks.endpointWasDeleted"));
  };
  return (
    <ConfirmDialog
      title={t("webhooks.deleteEndpoint")}
      act={t("common.delete")}
      onAct={remove}
      onClose={onClose}
    >
      <p>{t("webhooks.noMoreMessagesAreSent")}</p>
    </ConfirmDialog>
  );
}

interface EditWebhookProps {
  webhook: Webhook;
  onChange: () => Promise<void>;
  onClose: () => void;
}

function EditWebhook({ webhook, onChange, onClose }: EditWebhookProps) {
  const [form, setForm] = useState(() => toForm(webhook));
  const { isBusy, fault, run } = useAction(async () => {
    await askPublic(`webhooks/${webhook.id}`, "PATCH", toRequestBody(form));
    await onChange();
    onClose();
  });
  return (
    <Dialog title={t("webhooks.editEndpoint")} onClose={onClose}>
      <Form onSend={run}>
        <WebhookFields
          form={form}
          onChange={(patch) => setForm({ ...form, ...patch })}
        />
        <FormActions
          act={t("common.save")}
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
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
  ["later", t("webhooks.in24Hours")],
  ["now", t("webhooks.immediately")],
];

/** Rotates the secret and shows the new one. */
function RotateSecret({ id, onChange, onClose }: RotateSecretProps) {
  const [end, setEnd] = useState<End>("later");
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const at = `webhooks/${id}/rotate-secret`;
    const body = { revokeNow: end === "now" };
    const created = await askPublic<{ secret: string }>(at, "POST", body);
    setSecret(created.secret);
    await onChange();
  });
  // The secret is shown only once, so the dialog stays open while the request runs.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (secret !== null)
    return <WebhookSecretDialog secret={secret} onClose={onClose} />;
  return (
    <Dialog title={t("webhooks.rotateSecretQuestion")} onClose={close}>
      <Form onSend={run}>
        <EndField end={end} onChoose={setEnd} />
        <FormActions
          act={t("webhooks.rotateSecret")}
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

function EndField({ end, onChoose }: EndFieldProps) {
  return (
    <div class="field">
      <span class="label">{t("webhooks.oldSecretExpires")}</span>
      <Choices
        legend={t("webhooks.oldSecretExpires")}
        options={ends}
        value={end}
        onChoose={onChoose}
      />
      <span class="hint">
        {end === "later"
          ? t("webhooks.rotateLaterHelp")
          : t("webhooks.rotateNowHelp")}
      </span>
    </div>
  );
}
