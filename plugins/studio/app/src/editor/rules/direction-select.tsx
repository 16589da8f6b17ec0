import type {
  SortRule,
  ValueType,
} from "../../../../../../core/plugin-api/definition.js";
import { orderWords } from "./value-kind.js";

type Direction = SortRule["direction"];

interface DirectionSelectProps {
  label: string;
  type: ValueType;
  direction: Direction | undefined;
  /** What no direction means; makes it a choice. */
  none?: string;
  onChange: (direction: Direction) => void;
  onNone?: () => void;
}

/** Which end comes first, in words of what is put in order. */
export function DirectionSelect({
  label,
  type,
  direction,
  none,
  onChange,
  onNone,
}: DirectionSelectProps) {
  const words = orderWords(type);
  const choose = (value: string) => {
    if (value === "ASC" || value === "DESC") onChange(value);
    else onNone?.();
  };
  return (
    <select
      class="input small"
      aria-label={label}
      value={direction ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {none !== undefined && <option value="">{none}</option>}
      <option value="ASC">{words.ASC}</option>
      <option value="DESC">{words.DESC}</option>
    </select>
  );
}
