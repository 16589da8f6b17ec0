import type { ComponentChildren } from "preact";
import { useState, useRef } from "preact/hooks";
import { askPublic } from "../api.js";
import {
  type Connection,
  readTargets,
  type Target,
  SettingFields,
  credentialsOf,
  type Draft,
  TargetChoice,
} from "../pages/connections/connection-settings.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { me, may } from "../session.js";
import { Button } from "../ui/button.js";
import { useAction, Form } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Bones } from "../ui/loading.js";
import { Empty, Fault, Notice, Why } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { OptionButton, FocusedHeading } from "./components.js";
import { type Choice, proceed } from "./steps.js";

interface Opened {
  connections: Connection[];
  targets: Target[];
}

async function open(): Promise<Opened> {
  const at = "connections?kind=platform&page=1&pageSize=100";
  const [{ data }, targets] = await Promise.all([
    askPublic<{ data: Connection[] }>(at),
    readTargets(),
  ]);
  return {
    connections: data,
    targets: targets.filter(({ kind }) => kind === "platform"),
  };
}

/** An access that is there, or a new one, which is tried at once. */
export function ConnectStep({ choice }: { choice: Choice }) {
  const { data, fault, reload } = useResource("connect", open);
  if (data)
    return (
      <div class="stack">
        <PlanNotice />
        <Accesses opened={data} choice={choice} />
      </div>
    );
  if (fault === null) return <Bones count={3} />;
  return (
    <Fault
      what="The connections could not be read"
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
    <Notice tone="warn" title="Buttons need the plan premium or enterprise">
      <p>
        Your organization has the plan {plan}. You can look at everything here,
        but no button will be made.
      </p>
    </Notice>
  );
}

function use(connection: string): void {
  proceed("table", { connection });
}

function Accesses({ opened, choice }: { opened: Opened; choice: Choice }) {
  const { connections, targets } = opened;
  const [isAsked, setAsked] = useState(false);
  const isMaking = isAsked || (connections.length === 0 && may("owner"));
  return (
    <>
      {connections.length > 0 && (
        <ul class="card picks" aria-label="Connections">
          {connections.map((one) => (
            <li key={one.id}>
              <Access {...{ one, targets, choice }} onUse={use} />
            </li>
          ))}
        </ul>
      )}
      {isMaking && (
        <NewAccess
          targets={targets}
          onMade={use}
          {...(connections.length > 0 && { onClose: () => setAsked(false) })}
        />
      )}
      {!isMaking && may("owner") && (
        <div>
          <Button onPress={() => setAsked(true)}>
            <Icon name="plus" />
            Connect something else
          </Button>
        </div>
      )}
      {connections.length === 0 && !may("owner") && <AskAnOwner />}
    </>
  );
}

function AskAnOwner() {
  return (
    <Empty icon="connections" title="Nothing is connected yet">
      <p>An owner of your organization can connect a spreadsheet.</p>
    </Empty>
  );
}

interface AccessProps {
  one: Connection;
  targets: Target[];
  choice: Choice;
  onUse: (id: string) => void;
}

function Access({ one, targets, choice, onUse }: AccessProps) {
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
              <span class="dot" />
              Does not work
            </span>
          )
        }
        onPick={() => onUse(one.id)}
      >
        <span class="muted small">{title ?? one.platform}</span>
      </OptionButton>
      {error !== null && (
        <div class="pick-why">
          <Why error={error} />
        </div>
      )}
    </>
  );
}

interface NewAccessProps {
  targets: Target[];
  onMade: (connectionId: string) => void;
  /** Absent: there is nothing else to choose. */
  onClose?: () => void;
}

/** First to what, then what that asks for. */
function NewAccess({ targets, onMade, onClose }: NewAccessProps) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <section class="card padded stack" aria-labelledby="new-access">
      <FocusedHeading id="new-access" key={target?.id}>
        {target ? `Connect to ${target.title}` : "What do you work in?"}
      </FocusedHeading>
      {target ? (
        <Credentials
          target={target}
          onMade={onMade}
          onBack={() => setTarget(null)}
          key={target.id}
        />
      ) : (
        <>
          <TargetChoice targets={targets} onChoose={setTarget} />
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
  onMade: (connectionId: string) => void;
  onBack: () => void;
}

function Credentials({ target, onMade, onBack }: CredentialsProps) {
  const [name, setName] = useState(target.title);
  const [draft, setDraft] = useState<Draft>({});
  const schema = target.credentials ?? {};
  const read = () => ({ name, credentials: credentialsOf(schema, draft) });
  const { isBusy, fault, run } = useAccess(target, read, onMade);
  return (
    <Form onSend={run}>
      <AccessHelp platform={target.id} />
      <div class="field">
        <label for="access-name">Name</label>
        <input
          id="access-name"
          class="input"
          required
          maxLength={255}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <SettingFields schema={schema} draft={draft} onChange={setDraft} />
      {fault !== null && (
        <Notice tone="bad" title={`${target.title} does not let us in`}>
          <p>{fault}</p>
          <p>Mend it above, then press Connect again.</p>
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

interface Tested {
  connection: Connection;
  warnings: string[];
}

/** Saves an access once, however often its credentials have to be mended, and tests it each time. */
function useAccess(
  target: Target,
  read: () => { name: string; credentials: object },
  onMade: (connectionId: string) => void,
) {
  const saved = useRef<string | null>(null);
  return useAction(async () => {
    const isHere = whereNow();
    const { id } = await save(target, saved.current, read());
    saved.current = id;
    const at = `connections/${id}/test`;
    const { connection, warnings } = await askPublic<Tested>(at, "POST");
    for (const warning of warnings) toast(warning);
    if (connection.state !== "working")
      throw new Error(connection.lastError ?? "It gives no reason.");
    if (isHere()) onMade(id);
  });
}

function save(
  { id: platform }: Target,
  saved: string | null,
  order: { name: string; credentials: object },
): Promise<{ id: string }> {
  if (saved !== null) return askPublic(`connections/${saved}`, "PATCH", order);
  return askPublic("connections", "POST", { platform, ...order });
}

const helps: Record<string, ComponentChildren> = {
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
        Add the scopes <code>data.records:read</code>,{" "}
        <code>data.records:write</code> and <code>schema.bases:read</code>.
      </li>
      <li>
        Under <b>Access</b>, add the base that holds your records.
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
      Use a database user of its own, which may do no more than read the tables
      and write into the columns that take files.
    </p>
  ),
};

/** Where to click on the platform, for those who have never done it. */
function AccessHelp({ platform }: { platform: string }) {
  return helps[platform] ?? null;
}
