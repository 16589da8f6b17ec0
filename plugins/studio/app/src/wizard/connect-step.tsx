import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { askPublic } from "../api.js";
import {
  type Connection,
  loadTargets,
  SettingFields,
  type SettingsForm,
  type Target,
  TargetPicker,
  toCredentials,
} from "../pages/connections/connection-settings.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { may, me } from "../session.js";
import { Button } from "../ui/button.js";
import { Form, InputField, useAction } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Skeleton } from "../ui/loading.js";
import { Empty, ErrorDetails, Fault, Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { FocusedHeading, OptionButton } from "./components.js";
import { type Choice, proceed } from "./steps.js";

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
    <Fault what="Couldn't load the connections" why={fault} onRetry={reload} />
  );
}

const plans = ["premium", "enterprise"];

function PlanNotice() {
  const plan = me.value?.organization.plan ?? "";
  if (plans.includes(plan)) return null;
  return (
    <Notice tone="warn" title="Buttons need the premium or enterprise plan">
      <p>
        Your organization is on the {plan} plan. You can try everything here,
        but you can't create a button.
      </p>
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
        <ul class="card picks" aria-label="Connections">
          {connections.map((one) => (
            <li key={one.id}>
              <ConnectionOption
                {...{ one, targets, choice }}
                onUse={selectConnection}
              />
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <NewConnection
          targets={targets}
          onCreated={selectConnection}
          {...(connections.length > 0 && {
            onClose: () => setRequested(false),
          })}
        />
      )}
      {!isCreating && may("owner") && (
        <div>
          <Button onPress={() => setRequested(true)}>
            <Icon name="plus" />
            New connection
          </Button>
        </div>
      )}
      {connections.length === 0 && !may("owner") && <NoConnections />}
    </>
  );
}

function NoConnections() {
  return (
    <Empty icon="connections" title="Nothing is connected yet">
      <p>An owner of your organization can connect a spreadsheet.</p>
    </Empty>
  );
}

interface ConnectionOptionProps {
  one: Connection;
  targets: Target[];
  choice: Choice;
  onUse: (id: string) => void;
}

function ConnectionOption({
  one,
  targets,
  choice,
  onUse,
}: ConnectionOptionProps) {
  const title = targets.find(({ id }) => id === one.platform)?.title;
  const error = one.problem ?? one.lastError;
  return (
    <>
      <OptionButton
        title={one.name}
        isChosen={one.id === choice.connection}
        badge={
          error === null ? null : (
            <span class="badge bad">
              <span class="dot" /> Failing{" "}
            </span>
          )
        }
        onPick={() => onUse(one.id)}
      >
        <span class="muted small">{title ?? one.platform}</span>
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
  onCreated: (connectionId: string) => void;
  /** Absent if there is no other connection to choose. */
  onClose?: () => void;
}

/** Asks for the platform first, then for its credentials. */
function NewConnection({ targets, onCreated, onClose }: NewConnectionProps) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <section class="card padded stack" aria-labelledby="new-access">
      <FocusedHeading id="new-access" key={target?.id}>
        {target ? `Connect to ${target.title}` : "What do you want to connect?"}
      </FocusedHeading>
      {target ? (
        <Credentials
          target={target}
          onCreated={onCreated}
          onBack={() => setTarget(null)}
          key={target.id}
        />
      ) : (
        <>
          <TargetPicker targets={targets} onChoose={setTarget} />
          {onClose && (
            <div>
              <Button onPress={onClose}>Cancel</Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

interface CredentialsProps {
  target: Target;
  onCreated: (connectionId: string) => void;
  onBack: () => void;
}

function Credentials({ target, onCreated, onBack }: CredentialsProps) {
  const [name, setName] = useState(target.title);
  const [form, setForm] = useState<SettingsForm>({});
  const schema = target.credentials ?? {};
  const getInput = () => ({ name, credentials: toCredentials(schema, form) });
  const { isBusy, fault, run } = useSaveAndTest(target, getInput, onCreated);
  return (
    <Form onSend={run}>
      <CredentialsHelp platform={target.id} />
      <InputField
        label="Name"
        id="access-name"
        required
        maxLength={255}
        value={name}
        onChange={setName}
      />
      <SettingFields schema={schema} form={form} onChange={setForm} />
      {fault !== null && (
        <Notice tone="bad" title={`Couldn't connect to ${target.title}`}>
          <p>{fault}</p>
          <p>Fix it above, then select Connect again.</p>
        </Notice>
      )}
      <div class="row">
        <Button onPress={onBack}>Back</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          Connect
        </Button>
      </div>
    </Form>
  );
}

interface TestResult {
  connection: Connection;
  warnings: string[];
}

/** Creates the connection once, updates it on further attempts, and tests it each time. */
function useSaveAndTest(
  target: Target,
  getInput: () => { name: string; credentials: object },
  onCreated: (connectionId: string) => void,
) {
  const saved = useRef<string | null>(null);
  return useAction(async () => {
    const isHere = whereNow();
    const { id } = await save(target, saved.current, getInput());
    saved.current = id;
    const at = `connections/${id}/test`;
    const { connection, warnings } = await askPublic<TestResult>(at, "POST");
    for (const warning of warnings) toast(warning);
    if (connection.state !== "working")
      throw new Error(connection.lastError ?? "No reason given.");
    if (isHere()) onCreated(id);
  });
}

function save(
  { id: platform }: Target,
  saved: string | null,
  body: { name: string; credentials: object },
): Promise<{ id: string }> {
  if (saved !== null) return askPublic(`connections/${saved}`, "PATCH", body);
  return askPublic("connections", "POST", { platform, ...body });
}

const helpByPlatform: Record<string, ComponentChildren> = {
  airtable: (
    <ol class="how">
      <li>
        Open{" "}
        <a
          href="https://airtable.com/create/tokens"
          target="_blank"
          rel="noreferrer"
        >
          airtable.com/create/tokens
        </a>{" "}
        and press <b>Create new token</b>.
      </li>
      <li>
        Add the scopes <code>data.records:getInput</code>,{" "}
        <code>data.records:write</code> and <code>schema.bases:getInput</code>.
      </li>
      <li>
        Under <b>ConnectionOption</b>, add the base that holds your records.
      </li>
      <li>Copy the token, and paste it here.</li>
    </ol>
  ),
  nocodb: (
    <ol class="how">
      <li>
        In NocoDB, press your picture, then <b>Account settings</b> and{" "}
        <b>Tokens</b>.
      </li>
      <li>
        Press <b>Add new API token</b>, and paste it here. It sees what you see.
      </li>
    </ol>
  ),
  "google-sheets": (
    <ol class="how">
      <li>
        Share the spreadsheet with the service account, or with the user who
        gives consent, as an editor.
      </li>
      <li>
        The first row has to name the columns, and a column <b>ID</b> has to
        hold another key in each row.
      </li>
    </ol>
  ),
  sql: (
    <p class="small muted">
      Use a database user of its own, which may do no more than getInput the
      tables and write into the columns that take files.
    </p>
  ),
};

/** Instructions for getting credentials of a platform. */
function CredentialsHelp({ platform }: { platform: string }) {
  return helpByPlatform[platform] ?? null;
}
