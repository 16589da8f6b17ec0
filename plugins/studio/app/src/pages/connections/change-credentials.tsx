import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { toast } from "../../ui/toast.js";
import type { Connection } from "./connection-line.js";
import { SettingFields } from "./setting-fields.js";
import {
  credentialsOf,
  draftOf,
  hasSecrets,
  type SettingsSchema,
} from "./settings.js";

interface ChangeCredentialsProps {
  one: Connection;
  schema: SettingsSchema;
  onChange: () => Promise<void>;
  onClose: () => void;
}

/** Gives a connection other credentials, and tries them at once. */
export function ChangeCredentials(props: ChangeCredentialsProps) {
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
