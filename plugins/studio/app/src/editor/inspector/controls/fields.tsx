import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useTyped } from "../../../ui/form.js";
import { Icon, type IconName } from "../../../ui/icon.js";

interface RowProps {
  /** The id of the field that the label names. */
  id: string;
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

/** One property: its name on the left, what changes it on the right. */
export function Row({ id, label, hint, children }: RowProps) {
  return (
    <div class="prop-row">
      <label for={id}>{label}</label>
      <div class="prop-control">
        {children}
        {hint && <small class="prop-hint">{hint}</small>}
      </div>
    </div>
  );
}

interface GroupProps {
  title: string;
  /** Open unless the person folded it. */
  isFolded?: boolean;
  children: ComponentChildren;
}

const prefix = "platen-folded:";

/** Properties that belong together; whether they are folded is remembered in this browser. */
export function Group({ title, isFolded = false, children }: GroupProps) {
  const kept = localStorage.getItem(prefix + title);
  const isOpen = kept === null ? !isFolded : kept === "no";
  return (
    <details
      class="prop-group"
      open={isOpen}
      onToggle={({ currentTarget }) =>
        localStorage.setItem(prefix + title, currentTarget.open ? "no" : "yes")
      }
    >
      <summary>
        <Icon name="next" size={14} />
        {title}
      </summary>
      <div class="props">{children}</div>
    </details>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  hint?: string;
  /** Called for each keystroke. */
  onChange: (value: string) => void;
  /** The person has gone elsewhere. */
  onLeave?: () => void;
}

/** Plain words, without data in them. */
export function TextField({
  label,
  value,
  placeholder,
  hint,
  onChange,
  onLeave,
}: TextFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <input
        id={id}
        class="input small"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={onLeave}
      />
    </Row>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  min?: number;
  max?: number;
  step?: number;
  placeholder?: string;
  /** Undefined takes it away; a number out of bounds is not taken. */
  onChange: (value: number | undefined) => void;
}

/** A number within bounds. */
export function NumberField({
  label,
  value,
  min,
  max,
  step = 1,
  placeholder,
  onChange,
}: NumberFieldProps) {
  const id = useId();
  const [typed, setTyped] = useTyped(value);
  const take = (input: HTMLInputElement) => {
    const next = input.value === "" ? undefined : input.valueAsNumber;
    const made = input.checkValidity() ? next : value;
    setTyped(input.value, made);
    if (made !== value) onChange(made);
  };
  return (
    <Row id={id} label={label}>
      <input
        id={id}
        class="input small"
        type="number"
        {...{ min, max, step, placeholder }}
        value={typed ?? value ?? ""}
        onInput={({ currentTarget }) => take(currentTarget)}
        onBlur={() => setTyped(null, value)}
      />
    </Row>
  );
}

interface SelectFieldProps<T extends string> {
  label: string;
  value: T | undefined;
  options: readonly (readonly [value: T, words: string])[];
  /** What stands there while nothing is chosen; makes "nothing" a choice. */
  none?: string;
  onChange: (value: T | undefined) => void;
}

/** One of a closed list. */
export function SelectField<T extends string>({
  label,
  value,
  options,
  none,
  onChange,
}: SelectFieldProps<T>) {
  const id = useId();
  return (
    <Row id={id} label={label}>
      <select
        id={id}
        class="input small"
        value={value ?? ""}
        onChange={({ currentTarget }) =>
          onChange(options.find(([one]) => one === currentTarget.value)?.[0])
        }
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([one, words]) => (
          <option value={one} key={one}>
            {words}
          </option>
        ))}
      </select>
    </Row>
  );
}

interface SwitchFieldProps {
  label: string;
  value: boolean;
  hint?: string;
  onChange: (value: boolean) => void;
}

/** Yes or no. */
export function SwitchField({
  label,
  value,
  hint,
  onChange,
}: SwitchFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </Row>
  );
}

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

interface SuggestFieldProps {
  label: string;
  value: string | undefined;
  placeholder: string;
  options: readonly (readonly [value: string, words: string])[];
  /** What may be written beside the suggestions. */
  isSound: (text: string) => boolean;
  /** Called with what is sound alone; undefined takes it away. */
  onChange: (value: string | undefined) => void;
}

const advice = "Choose one of the list.";

/** A short word of many, typed with suggestions. */
export function SuggestField({
  label,
  value,
  placeholder,
  options,
  isSound,
  onChange,
}: SuggestFieldProps) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useTyped(value);
  const isWrong = typed !== null && typed !== "" && !isSound(typed);
  const take = (text: string) => {
    const made = text === "" ? undefined : isSound(text) ? text : value;
    setTyped(text, made);
    if (made !== value) onChange(made);
  };
  return (
    <Row id={id} label={label} hint={isWrong ? advice : undefined}>
      <input
        id={id}
        class="input small"
        list={list}
        spellcheck={false}
        aria-invalid={isWrong}
        value={typed ?? value ?? ""}
        placeholder={placeholder}
        onInput={({ currentTarget }) => take(currentTarget.value.trim())}
        onBlur={() => setTyped(null, value)}
      />
      <Suggestions id={list} options={options} />
    </Row>
  );
}

interface SuggestionsProps {
  /** What the field names in its `list`. */
  id: string;
  options: readonly (readonly [value: string, words: string])[];
}

/** What a browser offers below a field while one types. */
export function Suggestions({ id, options }: SuggestionsProps) {
  return (
    <datalist id={id}>
      {options.map(([value, words]) => (
        <option value={value} key={value}>
          {words}
        </option>
      ))}
    </datalist>
  );
}
