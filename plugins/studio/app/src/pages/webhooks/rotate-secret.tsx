import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Choices } from "../../ui/choices.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { SecretShown } from "./secret-shown.js";

interface RotateSecretProps {
  /** The endpoint's. */
  id: string;
  onChange: () => Promise<void>;
  onClose: () => void;
}

type End = "later" | "now";

const ends: [End, string][] = [
  ["later", "In a day"],
  ["now", "At once"],
];

/** Gives an endpoint a new secret, and shows it this once. */
export function RotateSecret({ id, onChange, onClose }: RotateSecretProps) {
  const [end, setEnd] = useState<End>("later");
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const at = `webhooks/${id}/rotate-secret`;
    const body = { revokeNow: end === "now" };
    const made = await askPublic<{ secret: string }>(at, "POST", body);
    setSecret(made.secret);
    await onChange();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (secret !== null) return <SecretShown secret={secret} onClose={onClose} />;
  return (
    <Dialog title="A new secret?" onClose={close}>
      <Form onSend={run}>
        <EndField end={end} onChoose={setEnd} />
        <FormEnd
          act="Make a new secret"
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

/** When the secret that there is stops signing. */
function EndField({ end, onChoose }: EndFieldProps) {
  return (
    <div class="field">
      <span class="label">The old one ends</span>
      <Choices
        legend="The old one ends"
        options={ends}
        value={end}
        onChoose={onChoose}
      />
      <span class="hint">
        {end === "later"
          ? "Until then messages are signed with both, so that your program can change over."
          : "Your program refuses messages until it has the new one."}
      </span>
    </div>
  );
}
