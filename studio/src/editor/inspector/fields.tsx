import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { AssetPicker } from "../../assets/asset-picker.js";
import { Button } from "../../ui/button.js";
import { useInputText } from "../../ui/form.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { IconButton } from "../../ui/icon-button.js";
import { Select, type SelectProps } from "../../ui/select.js";
import { useEditor } from "../model/editor-context.js";
import type { PropertiesPart } from "../model/editor.js";
import { TemplateField } from "../text/typed-text.js";
import { t } from "../../messages/index.js";

interface RowProps {
  /** Id of the labeled input. */
  id: string;
  label: string;
  hint?: string | undefined;
  children: ComponentChildren;
}

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
  /** What opens it from elsewhere; see `Editor.shownPart`. */
  part?: PropertiesPart;
  children: ComponentChildren;
}

const prefix = "platen-folded:";

/** Whether the group is open is kept in local storage. */
export function Group({ title, isFolded = false, part, children }: GroupProps) {
  const details = useShownPart<HTMLDetailsElement>(part);
  const stored = localStorage.getItem(prefix + title);
  const isOpen = stored === null ? !isFolded : stored === "no";
  return (
    <details
      class="prop-group"
      ref={details}
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

/** Opens the element that the ref is given to, and moves the focus into it, when this part is to be shown. */
export function useShownPart<E extends HTMLElement>(
  part: PropertiesPart | undefined,
): RefObject<E | null> {
  const { shownPart } = useEditor();
  const ref = useRef<E>(null);
  useSignalEffect(() => {
    if (part === undefined || shownPart.value !== part) return undefined;
    // The properties of what was selected before may still be rendered now.
    const frame = requestAnimationFrame(() => {
      const element = ref.current;
      if (!element?.isConnected) return;
      shownPart.value = null;
      if (element instanceof HTMLDetailsElement) element.open = true;
      element.scrollIntoView({ block: "nearest" });
      const control = element.querySelector<HTMLElement>(
        "input, select, textarea, .props button",
      );
      (control ?? element.querySelector("summary"))?.focus();
    });
    return () => cancelAnimationFrame(frame);
  });
  return ref;
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

type SelectFieldProps<T extends string> = Omit<SelectProps<T>, "id"> & {
  label: string;
  hint?: string;
};

export function SelectField<T extends string>({
  label,
  hint,
  ...select
}: SelectFieldProps<T>) {
  const id = useId();
  return (
    <Row id={id} label={label} hint={hint}>
      <Select id={id} {...select} />
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
        {options.map(([option, words, icon]) => (
          <button
            type="button"
            aria-pressed={value === option}
            aria-label={words}
            title={words}
            onClick={() => onChange(value === option ? undefined : option)}
            key={option}
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
  isValid: (text: string) => boolean;
  /** Called with valid texts only; undefined removes the value. */
  onChange: (value: string | undefined) => void;
}

const advice = t("style.chooseFromList");

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

interface TemplateRowProps {
  label: string;
  value: string;
  /** The component that determines the available variables; null for the record only. */
  owner: string | null;
  placeholder?: string;
  hint?: string | undefined;
  isMultiline?: boolean;
  onChange: (value: string) => void;
}

/** A text with placeholders. */
export function TemplateRow({ label, hint, ...field }: TemplateRowProps) {
  return (
    <div class={`prop-row ${field.isMultiline ? "wide" : ""}`}>
      {/* It names itself. */}
      <span class="prop-label" aria-hidden="true">
        {label}
      </span>
      <TemplateField
        {...field}
        {...(hint !== undefined && { hint })}
        label={label}
        isBare
      />
    </div>
  );
}

interface ImageFieldProps {
  label: string;
  value: string;
  /** The component that determines the available variables; null for the record only. */
  owner: string | null;
  onChange: (value: string) => void;
}

/** An image from the library, from the data or by URL. */
export function ImageField(props: ImageFieldProps) {
  const { label, value, onChange } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div class="prop-row">
        <span class="prop-label" id={id}>
          {label}
        </span>
        <div class="prop-pair" role="group" aria-labelledby={id}>
          <Button onPress={() => setOpen(true)}>
            <Icon name="image" size={16} />
            {value === "" ? t("connections.choose") : t("common.change")}
          </Button>
          {value !== "" && (
            <IconButton
              icon="close"
              label={t("style.removeLabel", { label })}
              onPress={() => onChange("")}
            />
          )}
        </div>
      </div>
      <TemplateRow
        {...props}
        label={t("style.address")}
        placeholder={t("style.httpsOr")}
      />
      {isOpen && (
        <AssetPicker
          kind="image"
          onChoose={(asset) => {
            onChange(`asset:${asset.id}`);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface ColorFieldProps {
  label: string;
  value: string | undefined;
  placeholder?: string;
  /** Undefined removes the value. */
  onChange: (value: string | undefined) => void;
  onLeave?: () => void;
}

/** A color: picked, typed, or one that the template already uses. */
export function ColorField({
  label,
  value,
  placeholder = t("common.none"),
  onChange,
  onLeave,
}: ColorFieldProps) {
  const id = useId();
  const list = useId();
  const { definition, brand } = useEditor();
  const [colors, setColors] = useState<[string, string][]>([]);
  const [typed, setTyped] = useInputText(value);
  const take = (text: string) => {
    const made = text.trim() || undefined;
    setTyped(text, made);
    onChange(made);
  };
  return (
    <Row id={id} label={label}>
      <span class="color-field">
        <input
          type="color"
          aria-label={t("style.pickLabel", { label })}
          value={toHexColor(value) ?? "#ffffff"}
          data-empty={value === undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={onLeave}
        />
        <input
          id={id}
          class="input small"
          list={list}
          value={typed ?? value ?? ""}
          placeholder={placeholder}
          spellcheck={false}
          // Searching the whole template is slow, so it is done only when the input is focused.
          onFocus={() =>
            setColors([
              ...Object.entries(brand.peek()?.colors ?? {}).map(
                ([name, color]): [string, string] => [color, name],
              ),
              ...findColors(definition.peek()).map(
                (color): [string, string] => [color, ""],
              ),
            ])
          }
          onInput={({ currentTarget }) => take(currentTarget.value)}
          onBlur={onLeave}
        />
        <Suggestions id={list} options={colors} />
      </span>
    </Row>
  );
}

const hex = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi;
const maxColors = 12;

/** The colors used in a definition, most frequent first. */
function findColors(definition: object): string[] {
  const counts = new Map<string, number>();
  for (const [match] of JSON.stringify(definition).matchAll(hex)) {
    const color = match.toLowerCase();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, count], [, other]) => other - count)
    .slice(0, maxColors)
    .map(([color]) => color);
}

/** The color as `#rrggbb`, the only format of the browser's picker; null if it is not a hex color. */
export function toHexColor(color: string | undefined): string | null {
  const text = color?.trim().toLowerCase() ?? "";
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const isShort = /^#[0-9a-f]{3}$/.test(text);
  return isShort ? text.replaceAll(/[0-9a-f]/g, "$&$&") : null;
}
