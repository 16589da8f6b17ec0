import { useId } from "preact/hooks";
import { useEditor } from "../../model/editor-context.js";
import { colorsIn, hexOf } from "./colors.js";
import { Row } from "./row.js";

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
  return (
    <Row id={id} label={label}>
      <span class="color-field">
        <input
          type="color"
          aria-label={`Pick: ${label}`}
          value={hexOf(value) ?? "#ffffff"}
          data-empty={value === undefined}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onBlur={onLeave}
        />
        <input
          id={id}
          class="input small"
          list={list}
          value={value ?? ""}
          placeholder={placeholder}
          spellcheck={false}
          onInput={({ currentTarget }) =>
            onChange(currentTarget.value.trim() || undefined)
          }
          onBlur={onLeave}
        />
        <datalist id={list}>
          {colorsIn(definition.value).map((color) => (
            <option value={color} key={color} />
          ))}
        </datalist>
      </span>
    </Row>
  );
}
