import type { ValueType } from "../../../../../../core/plugin-api/definition.js";
import type { PathOption } from "../scope/field-options.js";

/** How a rule's two sides are compared and filled in. */
export type ValueKind = "text" | "number" | "date" | "yesno" | "many" | "other";

/** What a field holds, as far as schema and sample tell. */
export function kindOfOption(option: PathOption | undefined): ValueKind {
  if (!option) return "other";
  const { kind, sample, path } = option;
  if (kind === "Number") return "number";
  if (kind === "Date") return "date";
  if (kind === "list" || kind === "record") return "many";
  if (kind === "special")
    return /\.(?:first|last)$/.test(path) ? "yesno" : "number";
  return sample === "yes" || sample === "no" ? "yesno" : "text";
}

/** As which a kind is compared; undefined where the values themselves tell. */
export function comparedAs(kind: ValueKind): ValueType | undefined {
  if (kind === "number") return "Number";
  return kind === "date" ? "Date" : undefined;
}

/** As which a kind is put in order. */
export function orderedAs(kind: ValueKind): ValueType {
  return comparedAs(kind) ?? "String";
}

/** What the two directions of an order are called. */
export function orderWords(type: ValueType): { ASC: string; DESC: string } {
  switch (type) {
    case "Number":
      return { ASC: "Smallest first", DESC: "Largest first" };
    case "Date":
      return { ASC: "Oldest first", DESC: "Newest first" };
    default:
      return { ASC: "A to Z", DESC: "Z to A" };
  }
}
