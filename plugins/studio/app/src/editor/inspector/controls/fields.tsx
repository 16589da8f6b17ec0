import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useInputText } from "../../../ui/form.js";
import { Icon, type IconName } from "../../../ui/icon.js";
import { t } from "../../../messages/index.js";

interface RowProps {
  /** Id of the labeled input. */
  id: string;
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

/** A property: its label on the left, its input on the right. */
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
  /** Folded until the person opens it. */
  isFolded?: boolean;
  children: ComponentChildren;
}

const prefix = "platen-folded:";

/** A foldable group of properties; its state is kept in local storage. */
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
  /** Called when the input loses the focus. */
  onLeave?: () => void;
}

/** A plain text, without placeholders. */
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
  /** Undefined removes the value; numbers out of bounds are ignored. */
  onChange: (value: number | undefined) => void;
}

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
  const [typed, setTyped] = useInputText(value);
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
  /** Label of the empty option; without it, the value cannot be removed. */
  none?: string;
  onChange: (value: T | undefined) => void;
}

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
  /** Undefined when the current option is clicked again. */
  onChange: (value: T | undefined) => void;
}

/** A group of icon buttons. */
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
  /** Whether a text is valid. */
  isValid: (text: string) => boolean;
  /** Called with valid texts only; undefined removes the value. */
  onChange: (value: string | undefined) => void;
}

const advice = t("style.chooseFromList");

/** A text input with suggestions. */
export function SuggestField({
  label,
  value,
  placeholder,
  options,
  isValid,
  onChange,
}: SuggestFieldProps) {
  const id = useId();
  const list = useId();
  const [typed, setTyped] = useInputText(value);
  const isWrong = typed !== null && typed !== "" && !isValid(typed);
  const take = (text: string) => {
    const made = text === "" ? undefined : isValid(text) ? text : value;
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
  /** The `list` attribute of the input. */
  id: string;
  options: readonly (readonly [value: string, words: string])[];
}

/** Suggestions of an input. */
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
