import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { Notice } from "../../ui/notice.js";
import { toast } from "../../ui/toast.js";
import type { Connection } from "./connection-line.js";
import { SettingFields } from "./setting-fields.js";
import { credentialsOf, type Draft } from "./settings.js";
import { TargetChoice } from "./target-choice.js";
import type { Target } from "./targets.js";

interface NewConnectionProps {
  targets: Target[];
  onMade: () => Promise<void>;
  onClose: () => void;
}

/** First to what, then the credentials that this asks for. */
export function NewConnection(props: NewConnectionProps) {
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
