import { useState } from "preact/hooks";
import { useAction, FormEnd, Form } from "../../ui/form.js";
import { askPublic } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { place } from "../../router.js";
import { AskFirst, Dialog, NameDialog } from "../../ui/dialog.js";
import { Bones } from "../../ui/loading.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault, Notice, Why } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pagination.js";
import { toast } from "../../ui/toast.js";
import {
  type Connection,
  SettingFields,
  type SettingsSchema,
  credentialsOf,
  draftOf,
  hasSecrets,
  type Draft,
  TargetChoice,
  readTargets,
  type Target,
} from "./connection-settings.js";

interface Opened {
  data: Connection[];
  pagination: { total: number };
  targets: Target[];
}

async function open(page: number): Promise<Opened> {
  const at = `connections?page=${page}&pageSize=24`;
  const [listed, targets] = await Promise.all([
    askPublic<Omit<Opened, "targets">>(at),
    readTargets(),
  ]);
  return { ...listed, targets };
}

export function ConnectionsPage() {
  const [isMaking, setMaking] = useState(false);
  const page = pageIn(place.value.searchParams);
  const opened = useResource(String(page), () => open(page));
  const { data, fault, reload } = opened;
  return (
    <>
      <PageTitle
        title="Connections"
        lead="Where records come from and files go, and who has documents signed."
      >
        {data && may("owner") && (
          <Button kind="primary" onPress={() => setMaking(true)}>
            <Icon name="plus" />
            New connection
          </Button>
        )}
      </PageTitle>
      {fault && <Unread why={fault} onRetry={reload} />}
      {!data && !fault && <Bones count={3} />}
      {data && <Lines opened={data} page={page} onChange={reload} />}
      {data && isMaking && (
        <NewConnection
          targets={data.targets}
          onMade={reload}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  );
}

function Unread({ why, onRetry }: { why: string; onRetry: () => unknown }) {
  return (
    <Fault
      what="The connections could not be read"
      why={why}
      onRetry={onRetry}
    />
  );
}

interface LinesProps {
  opened: Opened;
  page: number;
  onChange: () => Promise<void>;
}

function Lines({ opened, page, onChange }: LinesProps) {
  const { total } = opened.pagination;
  if (total === 0)
    return (
      <Empty icon="connections" title="No connections yet">
        <p>
          {may("owner")
            ? "Connect a spreadsheet, a database or an e-signature service."
            : "An owner of your organization can add one."}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {opened.data.map((one) => (
          <ConnectionLine
            one={one}
            targets={opened.targets}
            onChange={onChange}
            key={one.id}
          />
        ))}
      </ul>
      <Pages page={page} total={total} what="connections" />
    </>
  );
}

const words: Record<Connection["state"], [tone: string, said: string]> = {
  untested: ["", "Not tested"],
  working: ["good", "Works"],
  failing: ["bad", "Does not work"],
};

interface ConnectionLineProps {
  one: Connection;
  targets: Target[];
  onChange: () => Promise<void>;
}

/** A connection in the list: to what, and whether it works. */
function ConnectionLine(props: ConnectionLineProps) {
  const { one, targets, onChange } = props;
  const [warnings, setWarnings] = useState<string[]>([]);
  const error = one.problem ?? one.lastError;
  return (
    <li class="line connection">
      <div class="words">
        <strong>{one.name}</strong>
        <span class="muted small">
          {targetOf(one, targets)?.title ?? one.platform ?? one.provider}
          {one.lastCheckedAt !== null && (
            <span title={momentOf(one.lastCheckedAt)}>
              , tested {agoOf(one.lastCheckedAt)}
            </span>
          )}
        </span>
      </div>
      <div class="row">
        <ConnectionState one={one} />
      </div>
      <div class="row files">
        {may("owner") && (
          <ConnectionActions
            one={one}
            schema={targetOf(one, targets)?.credentials ?? null}
            onChange={onChange}
            onWarn={setWarnings}
          />
        )}
      </div>
      {error !== null && <Why error={error} />}
      {warnings.map((warning) => (
        <p class="why warns" key={warning}>
          {warning}
        </p>
      ))}
    </li>
  );
}

function ConnectionState({ one }: { one: Connection }) {
  const [tone, said] =
    one.problem === null ? words[one.state] : ["bad", "Cannot be used"];
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {said}
    </span>
  );
}

function targetOf({ platform, provider }: Connection, targets: Target[]) {
  const id = platform ?? provider;
  return targets.find((target) => target.id === id);
}

interface ConnectionActionsProps {
  one: Connection;
  /** What it asks for; null when that is not known now. */
  schema: SettingsSchema | null;
  onChange: () => Promise<void>;
  /** What a test said that will not work. */
  onWarn: (warnings: string[]) => void;
}

type Asked = "change" | "rename" | "delete";

interface Tested {
  connection: Connection;
  account: string | null;
  warnings: string[];
}

/** What an owner can do about a connection. */
function ConnectionActions(props: ConnectionActionsProps) {
  const { one, schema, onChange, onWarn } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const test = async () => {
    const at = `connections/${one.id}/test`;
    const tested = await askPublic<Tested>(at, "POST");
    onWarn(tested.warnings);
    await onChange();
    toast(wordsOfTest(tested));
  };
  return (
    <>
      <Button label={`Test ${one.name}`} onPress={test}>
        Test
      </Button>
      {Object.keys(schema?.properties ?? {}).length > 0 && (
        <Button
          label={`Change the credentials of ${one.name}`}
          onPress={() => setAsked("change")}
        >
          Change
        </Button>
      )}
      <Button label={`Rename ${one.name}`} onPress={() => setAsked("rename")}>
        Rename
      </Button>
      <Button label={`Delete ${one.name}`} onPress={() => setAsked("delete")}>
        Delete
      </Button>
      {asked && (
        <Asking {...props} asked={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

type AskingProps = Pick<
  ConnectionActionsProps,
  "one" | "schema" | "onChange"
> & {
  asked: Asked;
  onClose: () => void;
};

function Asking({ one, schema, asked, onChange, onClose }: AskingProps) {
  const shared = { one, onChange, onClose };
  if (asked === "rename") return <RenameConnection {...shared} />;
  if (asked === "delete") return <DeleteConnection {...shared} />;
  return schema && <ChangeCredentials {...shared} schema={schema} />;
}

function wordsOfTest({ connection, account }: Tested): string {
  const { name, state } = connection;
  if (state !== "working") return `${name} does not work.`;
  return account === null ? `${name} works.` : `${name} works: ${account}.`;
}

interface DeleteConnectionProps {
  one: Connection;
  onChange: () => Promise<void>;
  onClose: () => void;
}

function DeleteConnection({ one, onChange, onClose }: DeleteConnectionProps) {
  const remove = async () => {
    await askPublic(`connections/${one.id}`, "DELETE");
    await onChange();
    toast(`${one.name} was deleted.`);
  };
  return (
    <AskFirst
      title={`Delete ${one.name}?`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
    >
      <p>
        Its credentials are deleted too. Templates and links that need it fail
        from now on.
      </p>
    </AskFirst>
  );
}

interface ChangeCredentialsProps {
  one: Connection;
  schema: SettingsSchema;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Gives a connection other credentials, and tries them at once. */
function ChangeCredentials(props: ChangeCredentialsProps) {
  const { one, schema, onChange, onClose } = props;
  const [draft, setDraft] = useState(() => draftOf(schema, one.credentials));
  const { isBusy, fault, run } = useAction(async () => {
    const at = `connections/${one.id}`;
    const credentials = credentialsOf(schema, draft);
    await askPublic(at, "PATCH", { credentials });
    const works = await askPublic<{ connection: Connection }>(
      `${at}/test`,
      "POST",
    ).then(
      ({ connection }) => connection.state === "working",
      () => false,
    );
    toast(works ? `${one.name} works.` : `It is saved, but it fails its test.`);
    await onChange();
    onClose();
  });
  return (
    <Dialog title={`Credentials of ${one.name}`} onClose={onClose}>
      <Form onSend={run}>
        {hasSecrets(schema) && (
          <p class="muted">
            Secrets are never shown again: enter them anew, whatever you change.
          </p>
        )}
        <SettingFields schema={schema} draft={draft} onChange={setDraft} />
        <FormEnd
          act="Save and test"
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface RenameConnectionProps {
  one: Connection;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Gives a connection another name. */
function RenameConnection(props: RenameConnectionProps) {
  const { one, onChange, onClose } = props;
  const rename = async (name: string) => {
    await askPublic(`connections/${one.id}`, "PATCH", { name });
    await onChange();
  };
  return (
    <NameDialog
      title={`Rename ${one.name}`}
      name={one.name}
      act="Rename"
      onName={rename}
      onClose={onClose}
    />
  );
}

interface NewConnectionProps {
  targets: Target[];
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** First to what, then the credentials that this asks for. */
function NewConnection(props: NewConnectionProps) {
  const [target, setTarget] = useState<Target | null>(null);
  const { targets, onClose } = props;
  if (target)
    return (
      <Credentials {...props} target={target} onBack={() => setTarget(null)} />
    );
  return (
    <Dialog title="Connect to" onClose={onClose}>
      <TargetChoice targets={targets} onChoose={setTarget} />
      <div class="dialog-end">
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}

interface CredentialsProps extends NewConnectionProps {
  target: Target;
  onBack: () => void;
}

function Credentials({ target, onMade, onClose, onBack }: CredentialsProps) {
  const [name, setName] = useState(target.title);
  const [draft, setDraft] = useState<Draft>({});
  const schema = target.credentials ?? {};
  const { isBusy, fault, run } = useAction(async () => {
    await save(target, name, credentialsOf(schema, draft));
    await onMade();
    onClose();
  });
  return (
    <Dialog title={`Connect to ${target.title}`} onClose={onClose}>
      <Form onSend={run}>
        <div class="field">
          <label for="connection-name">Name</label>
          <input
            id="connection-name"
            class="input"
            required
            maxLength={255}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <SettingFields schema={schema} draft={draft} onChange={setDraft} />
        {fault && <Notice tone="bad" title={fault} />}
        <div class="dialog-end">
          <Button onPress={onBack}>Back</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            Save and test
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Saves it, and tries it at once. What comes of that stands in the list: to save it again would make a second one. */
async function save(target: Target, name: string, credentials: object) {
  const { id } = await askPublic<Connection>("connections", "POST", {
    [target.kind === "esign" ? "provider" : "platform"]: target.id,
    name,
    credentials,
  });
  const at = `connections/${id}/test`;
  const works = await askPublic<{ connection: Connection }>(at, "POST").then(
    ({ connection }) => connection.state === "working",
    () => false,
  );
  toast(works ? `${name} works.` : `${name} is saved, but it fails its test.`);
}
