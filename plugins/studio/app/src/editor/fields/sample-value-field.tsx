import type {
  Field,
  Json,
} from "../../../../../../core/plugin-api/definition.js";
import { ValueInput } from "../rules/value-input.js";
import type { ValueKind } from "../rules/value-kind.js";

interface SampleValueProps {
  field: Field;
  value: Json;
  label: string;
  onChange: (value: Json) => void;
}

/** What a sample has in one field. */
export function SampleValue({
  field,
  value,
  label,
  onChange,
}: SampleValueProps) {
  const isTruth = typeof value === "boolean";
  return (
    <ValueInput
      label={label}
      kind={kindOf(field)}
      value={value}
      examples={isTruth ? ["true", "false"] : []}
      // What was a yes or no stays one, as long as it is written as one.
      onChange={(next) =>
        onChange(isTruth && isTruthWord(next) ? next === "true" : next)
      }
    />
  );
}

function isTruthWord(value: Json): boolean {
  return value === "true" || value === "false";
}

function kindOf({ type }: Field): ValueKind {
  if (type === "Number") return "number";
  return type === "Date" ? "date" : "text";
}
