import type { AppRole } from "../../../../../../core/plugin-api/app-plugin.js";
import { roleWords } from "./roles.js";

interface RoleChoiceProps {
  value: AppRole;
  onChoose: (role: AppRole) => void;
}

/** The roles, each with what it may do. */
export function RoleChoice({ value, onChoose }: RoleChoiceProps) {
  return (
    <fieldset class="roles">
      <legend class="label">Role</legend>
      {roleWords.map(([role, name, words]) => (
        <label class="check role" key={role}>
          <input
            type="radio"
            name="role"
            checked={role === value}
            onChange={() => onChoose(role)}
          />
          <span class="words">
            <strong>{name}</strong>
            <span class="muted small">{words}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
