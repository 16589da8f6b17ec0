import { useId, useState } from "preact/hooks";
import { useInputText } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Row } from "./fields.js";
import { type Side, SIDES, type Sides } from "./style-properties.js";
import { t } from "../../messages/index.js";

interface LengthFieldProps {
  label: string;
  value: string | undefined;
  /** Also accepts relative lengths such as `50%`. */
  isRelative?: boolean;
  /** Unit of a number that is typed without one. */
  unit?: string;
  /** The default. */
  placeholder?: string;
  /** Undefined removes the value. */
  onChange: (value: string | undefined) => void;
  onLeave?: () => void;
}

/** Arrow keys change the length by a step, with Shift by ten steps. */
export function LengthField(props: LengthFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={props.label}>
      <LengthInput {...props} id={id} />
    </Row>
  );
}

/** The input without its row, for fields with several inputs. */
export function LengthInput(props: LengthFieldProps & { id: string }) {
  const { id, label, placeholder } = props;
  const { value, isRelative = false, unit = "mm", onChange, onLeave } = props;
  const [typed, setTyped] = useInputText(value);
  const units = isRelative ? SIZE_UNITS : PAPER_UNITS;
  const parsed = parseLength(value);
  const read = (text: string) =>
    parseTypedLength(text, units, parsed?.unit || unit);
  const isWrong = !!typed?.trim() && read(typed) === null;
  const take = (text: string) => {
    const length = read(text);
    const isWhole = length !== null && /[a-z%]$|^\s*0+\s*$/i.test(text);
    const made = isWhole ? length : text.trim() === "" ? undefined : value;
    setTyped(text, made);
    if (made !== value) onChange(made);
  };
  const settle = () => {
    const length = read(typed ?? value ?? "");
    if (length !== null && length !== value) onChange(length);
    setTyped(null, value);
    onLeave?.();
  };
  const step = (event: KeyboardEvent, sign: 1 | -1) => {
    event.preventDefault();
    const from = parsed ?? { amount: 0, unit };
    const stepUnit = from.unit || unit;
    const by = getStep(stepUnit) * sign * (event.shiftKey ? 10 : 1);
    const amount = Math.max(0, from.amount + by);
    onChange(formatLength({ amount, unit: stepUnit }));
  };
  return (
    <input
      id={id}
      class="input small"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isWrong}
      title={
        isWrong
          ? t("style.numberWithUnits", { units: units.join(", ") })
          : undefined
      }
      value={typed ?? value ?? ""}
      placeholder={placeholder}
      onInput={({ currentTarget }) => take(currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === "ArrowUp") step(event, 1);
        if (event.key === "ArrowDown") step(event, -1);
        if (event.key === "Enter") settle();
      }}
    />
  );
}

const sideWords = {
  top: t("common.top"),
  right: t("common.right"),
  bottom: t("common.bottom"),
  left: t("common.left"),
} as const;

const sideLabels: Record<Side, (label: string) => string> = {
  top: (label) => t("style.labelTop", { label }),
  right: (label) => t("style.labelRight", { label }),
  bottom: (label) => t("style.labelBottom", { label }),
  left: (label) => t("style.labelLeft", { label }),
};

interface SidesFieldProps extends Omit<LengthFieldProps, "value" | "onChange"> {
  /** One length for all sides, or lengths by side. */
  value: string | Sides | undefined;
  onChange: (value: string | Sides | undefined) => void;
}

export function SidesField(props: SidesFieldProps) {
  const { label, value, onChange } = props;
  const id = useId();
  const [isApart, setApart] = useState(typeof value === "object");
  const sides = typeof value === "object" ? value : everySide(value);
  const turn = () => {
    if (isApart) onChange(sides.top ?? sides.left);
    setApart(!isApart);
  };
  const setSide = (side: Side, length: string | undefined) => {
    const { [side]: _old, ...others } = sides;
    const next = length === undefined ? others : { ...others, [side]: length };
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <div class="prop-row tall">
      <span class="prop-label" id={id}>
        {label}
      </span>
      <div class="sides" role="group" aria-labelledby={id}>
        {!isApart && (
          <LengthInput
            {...props}
            id={`${id}-all`}
            label={t("style.labelAllSides", { label })}
            value={typeof value === "string" ? value : undefined}
          />
        )}
        <button
          type="button"
          class="sides-turn"
          aria-pressed={isApart}
          aria-label={t("style.labelSetEachSide", { label })}
          title={t("style.setEachSide")}
          onClick={turn}
        >
          <Icon name="box" size={16} />
        </button>
        {isApart &&
          SIDES.map((side) => (
            <label class="one-side" key={side}>
              <span>{sideWords[side]}</span>
              <LengthInput
                {...props}
                id={`${id}-${side}`}
                label={sideLabels[side](label)}
                value={sides[side]}
                onChange={(length) => setSide(side, length)}
              />
            </label>
          ))}
      </div>
    </div>
  );
}

function everySide(value: string | undefined): Sides {
  if (value === undefined) return {};
  return { top: value, right: value, bottom: value, left: value };
}

interface Length {
  amount: number;
  unit: string;
}

const PAPER_UNITS = ["mm", "cm", "in", "pt", "px"] as const;
const SIZE_UNITS = [...PAPER_UNITS, "em", "rem", "%"] as const;

/** Null for anything but a plain length, for example a variable or `auto`. */
function parseLength(text: string | undefined): Length | null {
  if (text?.trim() === "0") return { amount: 0, unit: "" };
  const match = /^(-?\d+(?:\.\d+)?)([a-z%]+)$/.exec(text?.trim() ?? "");
  return match?.[1] && match[2]
    ? { amount: Number(match[1]), unit: match[2] }
    : null;
}

function formatLength({ amount, unit }: Length): string {
  return amount === 0 ? "0" : `${Number(amount.toFixed(4))}${unit}`;
}

/** The step of the arrow keys. */
function getStep(unit: string): number {
  return { cm: 0.1, in: 0.05, em: 0.1, rem: 0.1, mm: 0.5 }[unit] ?? 1;
}

/**
 * Parses a typed length: `12` gets the given unit, `12 mm` becomes `12mm`. Null if it is not a length in one of the
 * units.
 */
function parseTypedLength(
  text: string,
  units: readonly string[],
  unit: string,
): string | null {
  const match = /^\s*(\d+(?:[.,]\d+)?)\s*([a-z%]*)\s*$/i.exec(text);
  if (!match?.[1]) return null;
  const named = match[2] ? match[2].toLowerCase() : unit;
  if (!units.includes(named)) return null;
  return formatLength({
    amount: Number(match[1].replace(",", ".")),
    unit: named,
  });
}
