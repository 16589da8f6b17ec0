import { useState } from "preact/hooks";
import type { PersonLink } from "../../../../../../core/plugin-api/app-people.js";
import type { AppRole } from "../../../../../../core/plugin-api/app-plugin.js";
import { useAction } from "../../action.js";
import { ask } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { LinkShown } from "./link-shown.js";
import { RoleChoice } from "./role-choice.js";

interface InviteProps {
  onInvited: () => Promise<void>;
  onClose: () => void;
}

/** Adds someone, and shows the link by which they come in. */
export function Invite({ onInvited, onClose }: InviteProps) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<AppRole>("editor");
  const [link, setLink] = useState<PersonLink | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    const order = { name, email, role };
    setLink(await ask<PersonLink>("people", "POST", order));
    await onInvited();
  });
  // What is made is shown this once: nobody closes that away.
  const close = () => {
    if (!isBusy) onClose();
  };
  if (link) return <LinkShown name={name} link={link} onClose={onClose} />;
  return (
    <Dialog title="Invite someone" onClose={close}>
      <Form onSend={run}>
        <PersonField id="person-name" words="Name" onType={setName} />
        <PersonField
          id="person-email"
          words="Email address"
          isEmail
          onType={setEmail}
        />
        <RoleChoice value={role} onChoose={setRole} />
        <FormEnd act="Invite" fault={fault} isBusy={isBusy} onCancel={close} />
      </Form>
    </Dialog>
  );
}

interface PersonFieldProps {
  id: string;
  words: string;
  isEmail?: boolean;
  onType: (value: string) => void;
}

function PersonField(props: PersonFieldProps) {
  const { id, words, isEmail = false, onType } = props;
  const shared = {
    id,
    class: "input",
    required: true,
    maxLength: 255,
    autocomplete: "off",
    onInput: (event: { currentTarget: { value: string } }) =>
      onType(event.currentTarget.value),
  } as const;
  return (
    <div class="field">
      <label for={id}>{words}</label>
      {isEmail ? (
        <input {...shared} type="email" />
      ) : (
        <input {...shared} type="text" />
      )}
    </div>
  );
}
