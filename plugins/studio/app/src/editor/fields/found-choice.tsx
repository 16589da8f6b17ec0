import { useId } from "preact/hooks";

interface FoundChoiceProps {
  label: string;
  found: readonly { id: string; name: string }[];
  /** What is said where nothing was found. */
  none: string;
  /** Empty while nothing is chosen. */
  value: string;
  onChoose: (id: string) => void;
}

/** One of what the service has found. */
export function FoundChoice({
  label,
  found,
  none,
  value,
  onChoose,
}: FoundChoiceProps) {
  const id = useId();
  if (found.length === 0) return <p class="data-hint">{none}</p>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {value === "" && <option value="">Choose…</option>}
        {found.map((one) => (
          <option value={one.id} key={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </div>
  );
}
