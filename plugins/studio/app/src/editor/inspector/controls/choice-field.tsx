import { useId } from "preact/hooks";
import { Icon, type IconName } from "../../../ui/icon.js";

interface ChoiceFieldProps<T extends string> {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: T, words: string, icon: IconName])[];
  /** Pressing the one that is chosen takes it away. */
  onChange: (value: T | undefined) => void;
}

/** One of a few, by pictures. */
export function ChoiceField<T extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceFieldProps<T>) {
  const id = useId();
  return (
    <div class="prop-row">
      <span class="prop-label" id={id}>
        {label}
      </span>
      <div class="icon-choices" role="group" aria-labelledby={id}>
        {options.map(([one, words, icon]) => (
          <button
            type="button"
            aria-pressed={value === one}
            aria-label={words}
            title={words}
            onClick={() => onChange(value === one ? undefined : one)}
            key={one}
          >
            <Icon name={icon} size={16} />
          </button>
        ))}
      </div>
    </div>
  );
}
