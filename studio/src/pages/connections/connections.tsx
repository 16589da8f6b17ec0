import { useEffect, useState } from "preact/hooks";
import { Form, useAction } from "../../ui/form.js";
import { ask, askPublic, type Schemas } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { may } from "../../session.js";
import { askListPage, useResource } from "../../resource.js";
import { go, Link, place } from "../../router.js";
import { askDelete, askRename, Dialog, FormDialog } from "../../ui/dialog.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Skeleton } from "../../ui/loading.js";
import { Empty, ErrorDetails, Notice } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../../ui/list.js";
import { toast } from "../../ui/toast.js";
import {
  authorize,
  type Connection,
  getAuthorizationStart,
  hasSecrets,
  loadTargets,
  SettingFields,
  type SettingsSchema,
  type Target,
  TargetPicker,
  toCredentials,
  toForm,
  useNewConnection,
} from "./connection-settings.js";
import { t } from "../../messages/index.js";

async function loadPage(page: number) {
  const at = `connections?page=${page}&pageSize=24`;
  const [listed, targets] = await Promise.all([
    askListPage<Connection>(at),
    loadTargets(),
  ]);
  return { ...listed, targets };
}

export function ConnectionsPage() {
  const page = pageIn(place.value.searchParams);
  const opened = useResource(String(page), () => loadPage(page));
  const { data, reload } = opened;
  return (
    <>
      <PageTitle title={t("shell.connections")} lead={t("connections.lead")}>
        {data && may("owner") && (
          <Button
            kind="primary"
            dialog={(close) => (
              <NewConnection
                targets={data.targets}
                onCreated={reload}
                onClose={close}
              />
            )}
          >
            <Icon name="plus" />
            {t("connections.newConnection")}
          </Button>
        )}
      </PageTitle>
      <PagedList
        resource={opened}
        what={t("connections.couldntLoadConnections")}
        count={3}
        empty={
          <Empty icon="connections" title={t("connections.noConnectionsYet")}>
            <p>
              {may("owner")
                ? t("connections.noConnectionsHelp")
                : t("connections.ownersCanAdd")}
            </p>
          </Empty>
        }
      >
        {(connection) => (
          <ConnectionRow
            connection={connection}
            targets={data?.targets ?? []}
            onChange={reload}
            key={connection.id}
          />
        )}
      </PagedList>
    </>
  );
}

const stateLabels: Record<Connection["state"], [tone: string, said: string]> = {
  untested: ["", t("connections.notTested")],
  working: ["good", t("connections.working")],
  failing: ["bad", t("connections.failing")],
};

interface ConnectionRowProps {
  connection: Connection;
  targets: Target[];
  onChange: () => Promise<void>;
}

function ConnectionRow(props: ConnectionRowProps) {
  const { connection, targets, onChange } = props;
  const [warnings, setWarnings] = useState<string[]>([]);
  const error = connection.problem ?? connection.lastError;
  return (
    <li class="line connection">
      <div class="words">
        <strong>{connection.name}</strong>
        <span class="muted small">
          {findTarget(connection, targets)?.title ??
            connection.platform ??
            connection.provider ??
            connection.delivery}
          {connection.lastCheckedAt !== null && (
            <>
              {", "}
              <span title={momentOf(connection.lastCheckedAt)}>
                {t("connections.testedAgo", {
                  ago: agoOf(connection.lastCheckedAt),
                })}
              </span>
            </>
          )}
        </span>
      </div>
      <div class="row">
        <ConnectionState connection={connection} />
      </div>
      <div class="row files">
        {may("owner") && (
          <ConnectionActions
            connection={connection}
            target={findTarget(connection, targets) ?? null}
            onChange={onChange}
            onWarn={setWarnings}
          />
        )}
      </div>
      {error !== null && <ErrorDetails error={error} />}
      {warnings.map((warning) => (
        <p class="why warns" key={warning}>
          {warning}
        </p>
      ))}
    </li>
  );
}

function ConnectionState({ connection }: { connection: Connection }) {
  const [tone, said] =
    connection.problem === null
      ? stateLabels[connection.state]
      : ["bad", t("connections.unavailable")];
  return <Badge tone={tone}>{said}</Badge>;
}

function findTarget(connection: Connection, targets: Target[]) {
  const { kind, platform, provider, delivery } = connection;
  const id = platform ?? provider ?? delivery;
  return targets.find((target) => target.kind === kind && target.id === id);
}

interface ConnectionActionsProps {
  connection: Connection;
  /** Null when the plugin is not installed. */
  target: Target | null;
  onChange: () => Promise<void>;
  /** Receives the warnings of a connection test. */
  onWarn: (warnings: string[]) => void;
}

type TestResult = Schemas["ConnectionTest"];

function ConnectionActions(props: ConnectionActionsProps) {
  const { connection, target, onChange, onWarn } = props;
  const authorization = target?.authorization ?? null;
  const isAuthorized = authorization?.needs.some(
    (name) => name in connection.credentials,
  );
  const { name } = connection;
  const at = `connections/${connection.id}`;
  const rename = async (to: string) => {
    await askPublic(at, "PATCH", { name: to });
    await onChange();
  };
  const remove = async () => {
    await askPublic(at, "DELETE");
    await onChange();
    toast(t("connections.nameWasDeleted", { name }));
  };
  const test = async () => {
    const tested = await askPublic<TestResult>(`${at}/test`, "POST");
    onWarn(tested.warnings);
    await onChange();
    toast(describeTest(tested));
  };
  return (
    <>
      <Button
        label={t("connections.testName", { name: connection.name })}
        onPress={test}
      >
        {t("common.test")}
      </Button>
      {authorization && isAuthorized && (
        <Button
          label={t("connections.continueWithForName", {
            title: authorization.title,
            name: connection.name,
          })}
          onPress={() =>
            authorize({ connectionId: connection.id, credentials: null })
          }
        >
          {t("connections.continueWith", { title: authorization.title })}
        </Button>
      )}
      {target &&
        Object.keys(target.credentials?.properties ?? {}).length > 0 && (
          <Button
            label={t("connections.changeCredentialsOfName", {
              name: connection.name,
            })}
            dialog={(onClose) => (
              <ChangeCredentials
                {...{ connection, target, onChange, onClose }}
              />
            )}
          >
            {t("common.change")}
          </Button>
        )}
      <Button
        label={t("common.renameName", { name: connection.name })}
        dialog={askRename(name, rename)}
      >
        {t("common.rename")}
      </Button>
      <Button
        label={t("common.deleteName", { name: connection.name })}
        dialog={askDelete(name, t("connections.deleteWarning"), remove)}
      >
        {t("common.delete")}
      </Button>
    </>
  );
}

function describeTest({ connection, account }: TestResult): string {
  const { name, state } = connection;
  if (state !== "working") return t("connections.couldntConnectTo", { name });
  return account === null
    ? t("connections.nameWorks", { name })
    : t("connections.nameWorksAccount", { name, account });
}

interface ChangeCredentialsProps {
  connection: Connection;
  target: Target;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Changes the credentials of a connection and tests it. */
function ChangeCredentials(props: ChangeCredentialsProps) {
  const { connection, target, onChange, onClose } = props;
  const schema: SettingsSchema = target.credentials ?? {};
  const [form, setForm] = useState(() =>
    toForm(schema, connection.credentials),
  );
  const convert = () => toCredentials(schema, form, connection.credentials);
  const change = async () => {
    const at = `connections/${connection.id}`;
    await askPublic(at, "PATCH", { credentials: convert() });
    toast(await testSaved(connection.id, connection.name));
    await onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t("connections.credentialsOfName", { name: connection.name })}
      act={t("connections.saveAndTest")}
      onSend={change}
      onClose={onClose}
    >
      {hasSecrets(schema) && (
        <p class="muted">{t("connections.secretsHelp")}</p>
      )}
      <SettingFields
        schema={schema}
        form={form}
        onChange={setForm}
        authorization={target.authorization}
        onAuthorize={() =>
          authorize({ connectionId: connection.id, credentials: convert() })
        }
      />
    </FormDialog>
  );
}

interface NewConnectionProps {
  targets: Target[];
  onCreated: () => Promise<void>;
  onClose: () => void;
}

/** Asks first what to connect to, then for its credentials. */
function NewConnection(props: NewConnectionProps) {
  const [target, setTarget] = useState<Target | null>(null);
  const { targets, onClose } = props;
  if (target)
    return (
      <Credentials {...props} target={target} onBack={() => setTarget(null)} />
    );
  return (
    <Dialog title={t("connections.newConnection")} onClose={onClose}>
      <TargetPicker targets={targets} onChoose={setTarget} />
      <div class="dialog-end">
        <Button onPress={onClose}>{t("common.cancel")}</Button>
      </div>
    </Dialog>
  );
}

interface CredentialsProps extends NewConnectionProps {
  target: Target;
  onBack: () => void;
}

function Credentials({ target, onCreated, onClose, onBack }: CredentialsProps) {
  const { read, fields } = useNewConnection(target, "connection-name");
  const { isBusy, fault, run } = useAction(async () => {
    await save(target, read());
    await onCreated();
    onClose();
  });
  return (
    <Dialog
      title={t("connections.connectToTitle", { title: target.title })}
      onClose={onClose}
    >
      <Form onSend={run}>
        {fields}
        {fault && <Notice tone="bad" title={fault} />}
        <div class="dialog-end">
          <Button onPress={onBack}>{t("common.back")}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t("connections.saveAndTest")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Saves and tests a connection. A failed test does not reject: submitting again would create a second connection. */
async function save(
  target: Target,
  { name, credentials }: { name: string; credentials: object },
) {
  const { id } = await askPublic<Connection>("connections", "POST", {
    [target.kind === "esign" ? "provider" : target.kind]: target.id,
    name,
    credentials,
  });
  toast(await testSaved(id, name));
}

/** Tests a connection that was just saved. @returns the message to show */
async function testSaved(id: string, name: string): Promise<string> {
  const isWorking = await askPublic<{ connection: Connection }>(
    `connections/${id}/test`,
    "POST",
  ).then(
    ({ connection }) => connection.state === "working",
    () => false,
  );
  return isWorking
    ? t("connections.nameWorks", { name })
    : t("connections.savedButFailing", { name });
}

/** Where the page of the other side sends the browser back to: saves and tests the connection, then goes back to where it was begun. */
export function AuthorizationReturnPage() {
  const { data, fault } = useResource("return", finishAuthorization);
  const title = t(
    fault === null
      ? "connections.savingConnection"
      : "connections.couldntSaveConnection",
  );
  useEffect(() => {
    if (data !== null) go(data, { replace: true });
  }, [data]);
  return (
    <>
      <PageTitle title={title} />
      {fault === null ? (
        <Skeleton count={1} />
      ) : (
        <div class="card padded stack">
          <Notice tone="bad" title={fault} />
          <div>
            <Link class="button primary" to={getAuthorizationStart()}>
              {t("common.back")}
            </Link>
          </div>
        </div>
      )}
    </>
  );
}

/** @returns the page to show next. */
async function finishAuthorization(): Promise<string> {
  const query = location.search.slice(1);
  // The address works once; what is copied or kept of it should hold no code.
  go("connections/return", { replace: true });
  const { connectionId } = await ask<{ connectionId: string }>(
    "authorizations/finish",
    "POST",
    { query },
  );
  const { name } = await askPublic<Connection>(`connections/${connectionId}`);
  toast(await testSaved(connectionId, name));
  const start = getAuthorizationStart();
  return start.startsWith("start")
    ? `start/table?connection=${connectionId}`
    : start;
}
