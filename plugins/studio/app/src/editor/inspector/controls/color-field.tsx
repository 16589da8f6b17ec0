import { useId, useState } from "preact/hooks";
import { useTyped } from "../../../ui/use-typed.js";
import { useEditor } from "../../model/editor.js";
import { colorsIn, hexOf } from "./colors.js";
import { Row } from "./row.js";
import { Suggestions } from "./suggestions.js";

interface ColorFieldProps {
  label: string;
  value: string | undefined;
  placeholder?: string;
  /** Undefined takes it away. */
  onChange: (value: string | undefined) => void;
  onLeave?: () => void;
}

/** A colour: picked, typed, or one of those that the template has already. */
export function ColorField({
  label,
  value,
  placeholder = "None",
  onChange,
  onLeave,
}: ColorFieldProps) {
  const id = useId();
  const list = useId();
  const { definition } = useEditor();
  const [colors, setColors] = useState<[string, string][]>([]);
  const [typed, setTyped] = useTyped(value);
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
          // To look through the whole template takes its time: only for whoever is here.
          onFocus={() =>
            setColors(colorsIn(definition.peek()).map((one) => [one, ""]))
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

/** The browser's own picker. */
function ColorWell({ label, value, onChange, onLeave }: ColorWellProps) {
  return (
    <input
      type="color"
      aria-label={`Pick: ${label}`}
      value={hexOf(value) ?? "#ffffff"}
      data-empty={value === undefined}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={onLeave}
    />
  );
}
