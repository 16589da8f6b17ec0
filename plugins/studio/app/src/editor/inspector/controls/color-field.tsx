import { useId, useState } from "preact/hooks";
import { useInputText } from "../../../ui/form.js";
import { useEditor } from "../../model/editor-context.js";
import { Row, Suggestions } from "./fields.js";
import { t } from "../../../messages/index.js";

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
  const { definition } = useEditor();
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
        <ColorWell {...{ label, value, onChange, onLeave }} />
        <input
          id={id}
          class="input small"
          list={list}
          value={typed ?? value ?? ""}
          placeholder={placeholder}
          spellcheck={false}
          // Searching the whole template is slow, so it is done only when the input is focused.
          onFocus={() =>
            setColors(findColors(definition.peek()).map((one) => [one, ""]))
          }
          onInput={({ currentTarget }) => take(currentTarget.value)}
          onBlur={onLeave}
        />
        <Suggestions id={list} options={colors} />
      </span>
    </Row>
  );
}

type ColorWellProps = Pick<ColorFieldProps, "label" | "value" | "onChange"> & {
  onLeave: (() => void) | undefined;
};

/** The browser's color picker. */
function ColorWell({ label, value, onChange, onLeave }: ColorWellProps) {
  return (
    <input
      type="color"
      aria-label={t("style.pickLabel", { label })}
      value={toHexColor(value) ?? "#ffffff"}
      data-empty={value === undefined}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  );
}

const hex = /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi;
const maxColors = 12;

/** The colors used in a definition, most frequent first. */
function findColors(definition: object): string[] {
  const counts = new Map<string, number>();
  for (const [found] of JSON.stringify(definition).matchAll(hex)) {
    const color = found.toLowerCase();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, maxColors)
    .map(([color]) => color);
}

/** The color as `#rrggbb`, the only format of the browser's picker; null if it is not a hex color. */
export function toHexColor(color: string | undefined): string | null {
  const text = color?.trim().toLowerCase() ?? "";
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  return short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`
    : null;
}
