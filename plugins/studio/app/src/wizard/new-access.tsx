import { useRef, useState } from "preact/hooks";
import { useAction } from "../action.js";
import { askPublic } from "../api.js";
import type { Connection } from "../pages/connections/connection-line.js";
import { SettingFields } from "../pages/connections/setting-fields.js";
import { credentialsOf, type Draft } from "../pages/connections/settings.js";
import { TargetChoice } from "../pages/connections/target-choice.js";
import type { Target } from "../pages/connections/targets.js";
import { whereNow } from "../router.js";
import { Button } from "../ui/button.js";
import { Form } from "../ui/form.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { AccessHelp } from "./access-help.js";
import { FocusedHeading } from "./focused-heading.js";

interface NewAccessProps {
  targets: Target[];
  onMade: (connectionId: string) => void;
  /** Absent: there is nothing else to choose. */
  onClose?: () => void;
}

/** First to what, then what that asks for. */
export function NewAccess({ targets, onMade, onClose }: NewAccessProps) {
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
