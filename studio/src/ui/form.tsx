import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { wordsOf } from "../api.js";
import {
  language,
  languageNames,
  storeLanguage,
  t,
} from "../messages/index.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";
import { Notice } from "./notice.js";

interface FormProps {
  class?: string;
  onSend: () => Promise<void>;
  children: ComponentChildren;
}

/** A form whose submission is handled by `onSend`; the browser validates its fields first. */
export function Form({
  class: classes = "stack",
  onSend,
  children,
}: FormProps) {
  return (
    <form
      class={classes}
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      {children}
    </form>
  );
}

interface FormEndProps {
  /** Label of the submit button. */
  act: ComponentChildren;
  /** Why the last submission failed. */
  fault: string | null;
  isBusy: boolean;
  onCancel: () => void;
}

/** The bottom of a dialog's form: the error, if any, and the buttons to cancel and to submit. */
export function FormActions({ act, fault, isBusy, onCancel }: FormEndProps) {
  return (
    <>
      {fault && <Notice tone="bad" title={fault} />}
      <div class="dialog-end">
        <Button onPress={onCancel}>{t("common.cancel")}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {act}
        </Button>
      </div>
    </>
  );
}

interface InputFieldProps extends Pick<
  InputHTMLAttributes,
  | "autocomplete"
  | "autofocus"
  | "inputMode"
  | "maxLength"
  | "pattern"
  | "placeholder"
  | "required"
  | "spellcheck"
> {
  id?: string;
  label: string;
  /** Text by default. */
  type?: "email" | "password" | "url";
  hint?: string | undefined;
  /** Why the value cannot be used, in place of the hint; null when it can. */
  fault?: string | null;
  value: string;
  onChange: (value: string) => void;
}

/** `onChange` is called for each keystroke. */
export function InputField(props: InputFieldProps) {
  const ownId = useId();
  const { label, type, id = ownId, onChange, ...others } = props;
  const { fault = null, hint, ...input } = others;
  const words = fault ?? hint;
  const shared = {
    ...input,
    id,
    class: "input",
    "aria-invalid": fault === null ? undefined : true,
    "aria-describedby": words === undefined ? undefined : `${id}-hint`,
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* The types of Preact ask for a literal type. */}
      {type === "email" && <input {...shared} type="email" />}
      {type === "password" && <input {...shared} type="password" />}
      {type === "url" && <input {...shared} type="url" />}
      {type === undefined && <input {...shared} type="text" />}
      {words !== undefined && (
        <span
          class={fault === null ? "hint" : "fault"}
          id={`${id}-hint`}
          role={fault === null ? undefined : "status"}
        >
          {words}
        </span>
      )}
    </div>
  );
}

export function toggleItem<T>(selection: readonly T[], item: T): T[] {
  return selection.includes(item)
    ? selection.filter((selected) => selected !== item)
    : [...selection, item];
}

interface Action {
  isBusy: boolean;
  /** Why the last run failed. */
  fault: string | null;
  run: () => Promise<void>;
}

/** A request that a person starts and that may fail. Calls of `run` during a run are ignored. */
export function useAction(act: () => Promise<void>): Action {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [fault, setFault] = useState<string | null>(null);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setFault(null);
    try {
      await act();
    } catch (error) {
      setFault(wordsOf(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, fault, run };
}

/**
 * Keeps the text of an input while the value is the one parsed from it, so that "1." stays visible while it means 1.
 * The text is null once the value was changed elsewhere, for example by undo.
 * @returns the text, and a setter that takes a text with the value parsed from it
 */
export function useInputText<T>(
  value: T,
): [text: string | null, setText: (text: string | null, parsed: T) => void] {
  const [state, setState] = useState<{ text: string; parsed: T } | null>(null);
  const setText = (text: string | null, parsed: T) =>
    setState(text === null ? null : { text, parsed });
  return [state && state.parsed === value ? state.text : null, setText];
}

/** Selects a range of a text, in characters, and scrolls to it. */
export function selectText(
  field: HTMLTextAreaElement,
  { from, to }: { from: number; to: number },
): void {
  const before = field.value.slice(0, from).split("\n").length - 1;
  const lines = field.value.split("\n").length;
  const middle = (before / lines) * field.scrollHeight;
  field.focus();
  field.setSelectionRange(from, to);
  field.scrollTop = Math.max(0, middle - field.clientHeight / 3);
}

interface LabeledChoicesProps<T extends string> extends Omit<
  ChoicesProps<T>,
  "legend"
> {
  label: string;
}

export function LabeledChoices<T extends string>(
  props: LabeledChoicesProps<T>,
) {
  const { label, ...choices } = props;
  return (
    <div class="field">
      <span class="label">{label}</span>
      <Choices {...choices} legend={label} />
    </div>
  );
}

interface ChoicesProps<T extends string> {
  legend: string;
  options: readonly (readonly [value: T, words: string])[];
  value: T;
  onChoose: (value: T) => void;
}

/** A segmented control: radio buttons side by side. */
export function Choices<T extends string>({
  legend,
  options,
  value,
  onChoose,
}: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="hidden-text">{legend}</legend>
      {options.map(([option, words]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChoose(option)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses the language of the studio, in which each language calls itself. */
export function LanguageField() {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{t("common.language")}</label>
      <select
        id={id}
        class="input"
        value={language}
        onChange={({ currentTarget: { value } }) => {
          storeLanguage(value);
          location.reload();
        }}
      >
        {Object.entries(languageNames).map(([code, name]) => (
          <option value={code} lang={code} key={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface FieldProps {
  label: string;
  children: ComponentChildren;
}

export function Field({ label, children }: FieldProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      {children}
    </label>
  );
}

interface SearchFieldProps {
  /** Label, such as "Search by name". */
  words: string;
  value: string;
  onSearch: (q: string) => void;
}

/** Calls `onSearch` for each keystroke. */
export function SearchField({ words, value, onSearch }: SearchFieldProps) {
  return (
    <label class="search">
      <span class="hidden-text">{words}</span>
      <Icon name="search" />
      <input
        class="input"
        type="search"
        placeholder={words}
        value={value}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
    </label>
  );
}

interface DateTimeFieldProps {
  words: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  onChange: (value: string) => void;
}

export function DateTimeField(props: DateTimeFieldProps) {
  const { words, hint, value, isRequired = false, onChange } = props;
  return (
    <Field label={words}>
      <input
        class="input"
        type="datetime-local"
        required={isRequired}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint !== undefined && <span class="hint">{hint}</span>}
    </Field>
  );
}
