import type { sheets_v4 } from "@googleapis/sheets";
import type { FieldKind } from "../../core/plugin-api/index.js";

type Cell = sheets_v4.Schema$CellData;

/** What a column holds, as its first rows show. */
export interface ColumnKind {
  kind: FieldKind;
  /** Google's own word for it. */
  native: string;
  isFormula: boolean;
}

const formats: Readonly<Record<string, FieldKind>> = {
  DATE: "date",
  DATE_TIME: "date",
  NUMBER: "number",
  CURRENCY: "number",
  PERCENT: "number",
  SCIENTIFIC: "number",
};

/** Cells may differ, as a total's label does: what most of them are counts. An empty column is text. */
export function columnKind(cells: readonly Cell[]): ColumnKind {
  const held = cells.filter(({ effectiveValue }) => effectiveValue);
  const isFormula = held.some(
    ({ userEnteredValue }) =>
      typeof userEnteredValue?.formulaValue === "string",
  );
  return { ...mostOf(held.map(kindOf)), isFormula };
}

type Kind = Pick<ColumnKind, "kind" | "native">;

function mostOf(kinds: readonly Kind[]): Kind {
  const count = ({ native }: Kind) =>
    kinds.filter((one) => one.native === native).length;
  const [most] = kinds.toSorted((one, other) => count(other) - count(one));
  return most ?? { kind: "text", native: "TEXT" };
}

function kindOf(cell: Cell): Kind {
  const { effectiveValue, effectiveFormat, dataValidation } = cell;
  const rule = dataValidation?.condition?.type ?? "";
  if (typeof effectiveValue?.boolValue === "boolean")
    return { kind: "boolean", native: "BOOLEAN" };
  if (typeof effectiveValue?.numberValue === "number") {
    const native = effectiveFormat?.numberFormat?.type ?? "NUMBER";
    return { kind: formats[native] ?? "number", native };
  }
  return rule.startsWith("ONE_OF_")
    ? { kind: "select", native: rule }
    : { kind: "text", native: "TEXT" };
}
