import { useState } from "preact/hooks";
import type { PersonInfo } from "../../../../../../core/plugin-api/app-people.js";
import { useAction } from "../../action.js";
import { ask } from "../../api.js";
import { Dialog } from "../../ui/dialog.js";
import { Form } from "../../ui/form.js";
import { FormEnd } from "../../ui/form-end.js";
import { RoleChoice } from "./role-choice.js";

interface ChangeRoleProps {
  person: PersonInfo;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

/** Gives someone another role; they have to sign in anew. */
export function ChangeRole({ person, onChanged, onClose }: ChangeRoleProps) {
  const [role, setRole] = useState(person.role);
  const { isBusy, fault, run } = useAction(async () => {
    await ask(`people/${person.id}`, "PATCH", { role });
    await onChanged();
    onClose();
  });
  return (
    <Dialog title={`Role of ${person.name}`} onClose={onClose}>
      <Form onSend={run}>
        <RoleChoice value={role} onChoose={setRole} />
        <p class="muted small">
          {person.isYou
            ? "You are signed out, and sign in again with the new role."
            : "They are signed out, and sign in again with the new role."}
        </p>
        <FormEnd
          act="Change the role"
          fault={fault}
          isBusy={isBusy}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}
