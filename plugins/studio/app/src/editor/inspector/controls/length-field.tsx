import { useId } from "preact/hooks";
import { useTyped } from "../../../ui/use-typed.js";
import {
  PAPER_UNITS,
  readLength,
  SIZE_UNITS,
  stepOf,
  typedLength,
  writeLength,
} from "./length.js";
import { Row } from "./row.js";

interface LengthFieldProps {
  label: string;
  value: string | undefined;
  /** Parts of what is around, such as `50%`, as well. */
  isRelative?: boolean;
  /** The unit of a number without one. */
  unit?: string;
  /** What holds while there is none. */
  placeholder?: string;
  /** Undefined takes it away. */
  onChange: (value: string | undefined) => void;
  onLeave?: () => void;
}

/** A length with its unit: typed, or stepped with the arrow keys (ten at a time with Shift). */
export function LengthField(props: LengthFieldProps) {
  const id = useId();
  return (
    <Row id={id} label={props.label}>
      <LengthInput {...props} id={id} />
    </Row>
  );
}

/** The field alone, for those who set several beside each other. */
export function LengthInput(props: LengthFieldProps & { id: string }) {
  const { id, label, value, placeholder } = props;
  const { typed, units, isWrong, take, settle, step } = useLength(props);
  return (
    <input
      id={id}
      class="input small"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={isWrong}
      title={isWrong ? `A number with ${units.join(", ")}` : undefined}
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

/** What is typed until it is a length, and the steps from the one that is set. */
function useLength(props: LengthFieldProps) {
  const { value, isRelative = false, unit = "mm", onChange, onLeave } = props;
  const [typed, setTyped] = useTyped(value);
  const units = isRelative ? SIZE_UNITS : PAPER_UNITS;
  const known = readLength(value);
  const read = (text: string) => typedLength(text, units, known?.unit || unit);
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
    const from = known ?? { amount: 0, unit };
    const stepUnit = from.unit || unit;
    const by = stepOf(stepUnit) * sign * (event.shiftKey ? 10 : 1);
    const amount = Math.max(0, from.amount + by);
    onChange(writeLength({ amount, unit: stepUnit }));
  };
  return { typed, units, isWrong, take, settle, step };
}
