import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { askPublic, type Schemas } from "../api.js";
import {
  type Connection,
  loadTargets,
  type Target,
  TargetPicker,
  useNewConnection,
} from "../pages/connections/connection-settings.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { may, me } from "../session.js";
import { Button } from "../ui/button.js";
import { Form, useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/loading.js";
import { Empty, ErrorDetails, Fault, Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { FocusedHeading, OptionButton } from "./components.js";
import { type Choice, proceed } from "./steps.js";
import { Badge } from "../ui/list.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

interface Loaded {
  connections: Connection[];
  targets: Target[];
}

async function load(): Promise<Loaded> {
  const at = "connections?kind=platform&page=1&pageSize=100";
  const [{ data }, targets] = await Promise.all([
    askPublic<{ data: Connection[] }>(at),
    loadTargets(),
  ]);
  return {
    connections: data,
    targets: targets.filter(({ kind }) => kind === "platform"),
  };
}

export function ConnectStep({ choice }: { choice: Choice }) {
  const { data, fault, reload } = useResource("connect", load);
  if (data)
    return (
      <div class="stack">
        <PlanNotice />
        <ConnectionChoice loaded={data} choice={choice} />
      </div>
    );
  if (fault === null) return <Skeleton count={3} />;
  return (
    <Fault
      what={t("connections.couldntLoadConnections")}
      why={fault}
      onRetry={reload}
    />
  );
}

const plans = ["premium", "enterprise"];

function PlanNotice() {
  const plan = me.value?.organization.plan ?? "";
  if (plans.includes(plan)) return null;
  return (
    <Notice tone="warn" title={t("wizard.planNeeded")}>
      <p>{t("wizard.planNeededHelp", { plan })}</p>
    </Notice>
  );
}

function selectConnection(connection: string): void {
  proceed("table", { connection });
}

function ConnectionChoice({
  loaded,
  choice,
}: {
  loaded: Loaded;
  choice: Choice;
}) {
  const { connections, targets } = loaded;
  const [isRequested, setRequested] = useState(false);
  const isCreating = isRequested || (connections.length === 0 && may("owner"));
  return (
    <>
      {connections.length > 0 && (
        <ul class="card picks" aria-label={t("shell.connections")}>
          {connections.map((connection) => (
            <li key={connection.id}>
              <ConnectionOption {...{ connection, targets, choice }} />
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <NewConnection
          targets={targets}
          {...(connections.length > 0 && {
            onClose: () => setRequested(false),
          })}
        />
      )}
      {!isCreating && may("owner") && (
        <div>
          <Button onPress={() => setRequested(true)}>
            <Icon name="plus" />
            {t("connections.newConnection")}
          </Button>
        </div>
      )}
      {connections.length === 0 && !may("owner") && (
        <Empty icon="connections" title={t("connections.noConnectionsYet")}>
          <p>{t("wizard.askOwnerToConnect")}</p>
        </Empty>
      )}
    </>
  );
}

interface ConnectionOptionProps {
  connection: Connection;
  targets: Target[];
  choice: Choice;
}

function ConnectionOption({
  connection,
  targets,
  choice,
}: ConnectionOptionProps) {
  const title = targets.find(({ id }) => id === connection.platform)?.title;
  const error = connection.problem ?? connection.lastError;
  return (
    <>
      <OptionButton
        title={connection.name}
        isChosen={connection.id === choice.connection}
        badge={
          error !== null && <Badge tone="bad">{t("connections.failing")}</Badge>
        }
        onPick={() => selectConnection(connection.id)}
      >
        <span class="muted small">{title ?? connection.platform}</span>
      </OptionButton>
      {error !== null && (
        <div class="pick-why">
          <ErrorDetails error={error} />
        </div>
      )}
    </>
  );
}

interface NewConnectionProps {
  targets: Target[];
  /** Absent if there is no other connection to choose. */
  onClose?: () => void;
}

/** Asks for the platform first, then for its credentials. */
function NewConnection({ targets, onClose }: NewConnectionProps) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <section class="card padded stack" aria-labelledby="new-access">
      <FocusedHeading id="new-access" key={target?.id}>
        {target
          ? t("connections.connectToTitle", { title: target.title })
          : t("wizard.whatDoYouWantTo")}
      </FocusedHeading>
      {target ? (
        <Credentials
          target={target}
          onBack={() => setTarget(null)}
          key={target.id}
        />
      ) : (
        <>
          <TargetPicker targets={targets} onChoose={setTarget} />
          {onClose && (
            <div>
              <Button onPress={onClose}>{t("common.cancel")}</Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface CredentialsProps {
  target: Target;
  onBack: () => void;
}

function Credentials({ target, onBack }: CredentialsProps) {
  const { read, fields } = useNewConnection(target, "access-name");
  const saved = useRef<string | null>(null);
  // Creates the connection once, updates it on further attempts, and tests it each time.
  const { isBusy, fault, run } = useAction(async () => {
    const isHere = whereNow();
    const body = read();
    if (saved.current === null) {
      const order = { platform: target.id, ...body };
      const created = askPublic<{ id: string }>("connections", "POST", order);
      saved.current = (await created).id;
    } else await askPublic(`connections/${saved.current}`, "PATCH", body);
    const at = `connections/${saved.current}/test`;
    const { connection, warnings } = await askPublic<TestResult>(at, "POST");
    for (const warning of warnings) toast(warning);
    if (connection.state !== "working")
      throw new Error(connection.lastError ?? t("common.noReasonGiven"));
    if (isHere()) selectConnection(connection.id);
  });
  return (
    <Form onSend={run}>
      {helpByPlatform[target.id]}
      {fields}
      {fault !== null && (
        <Notice
          tone="bad"
          title={t("wizard.couldntConnectToTitle", { title: target.title })}
        >
          <p>{fault}</p>
          <p>{t("wizard.fixAndConnect")}</p>
        </Notice>
      )}
      <div class="row">
        <Button onPress={onBack}>{t("common.back")}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t("wizard.connect")}
        </Button>
      </div>
    </Form>
  );
}

type TestResult = Schemas["ConnectionTest"];

/** Instructions for getting credentials of a platform. */
const helpByPlatform: Record<string, ComponentChildren> = {
  airtable: (
    <ol class="how">
      <li>
        {rich("wizard.airtableOpenTokens", {
          a: (text) => (
            <a
              href="https://airtable.com/create/tokens"
              target="_blank"
              rel="noreferrer"
            >
              {text}
            </a>
          ),
        })}
      </li>
      <li>{rich("wizard.airtableAddScopes", {})}</li>
      <li>{rich("wizard.airtableAddBase", {})}</li>
      <li>{t("wizard.copyTokenAndPasteIt")}</li>
    </ol>
  ),
  nocodb: (
    <ol class="how">
      <li>{rich("wizard.nocodbOpenTokens", {})}</li>
      <li>{rich("wizard.nocodbAddToken", {})}</li>
    </ol>
  ),
  directus: (
    <ol class="how">
      <li>{rich("wizard.directusOpenUser", {})}</li>
      <li>{rich("wizard.directusAddToken", {})}</li>
    </ol>
  ),
  "google-sheets": (
    <ol class="how">
      <li>{t("wizard.sheetsShare")}</li>
      <li>{rich("wizard.sheetsColumns", {})}</li>
    </ol>
  ),
  sql: <p class="small muted">{t("wizard.sqlUser")}</p>,
};
