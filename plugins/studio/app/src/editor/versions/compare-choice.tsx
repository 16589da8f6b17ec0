import { useId } from "preact/hooks";
import type { Version } from "./version-list.js";

interface CompareChoiceProps {
  versions: readonly Version[];
  /** A version's id; "" for the draft as it is now. */
  chosen: string;
  onChoose: (id: string) => void;
}

export function CompareChoice(props: CompareChoiceProps) {
  const { versions, chosen, onChoose } = props;
  const id = useId();
  return (
    <span class="compare-choice">
      <label class="muted small" for={id}>
        Compared with
      </label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        <option value="">the draft, now</option>
        {versions.map((one) => (
          <option value={one.id} key={one.id}>
            version {one.version}
          </option>
        ))}
      </select>
    </span>
  );
}
