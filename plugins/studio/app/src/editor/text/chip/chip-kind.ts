import type { Editor } from "../../model/editor.js";
import { kindOf, type PathKind } from "../../scope/path-options.js";
import { keysOf } from "../../scope/path-text.js";
import { sampleAt } from "../../scope/samples.js";
import { shapeAt } from "../../scope/symbol-table.js";
import type { ChipBase } from "./chip-value.js";
import { scopeAround } from "./chip-words.js";

/** What kind of value a chip has, by the schema or else by the sample. */
export function chipKind(
  editor: Editor,
  owner: string | null,
  base: ChipBase,
): PathKind {
  if (base.kind === "today") return "Date";
  if (base.kind === "aggregate") return aggregateKind(editor, owner, base);
  return pathKind(editor, owner, base.keys);
}

function aggregateKind(
  editor: Editor,
  owner: string | null,
  { name, list, field }: Extract<ChipBase, { kind: "aggregate" }>,
): PathKind {
  if (name !== "MIN" && name !== "MAX") return "Number";
  const keys = [...(keysOf(list) ?? []), ...(keysOf(field) ?? [field])];
  const kind = pathKind(editor, owner, keys);
  return kind === "Date" ? "Date" : "Number";
}

function pathKind(
  editor: Editor,
  owner: string | null,
  keys: readonly string[],
): PathKind {
  const scope = scopeAround(editor, owner);
  const shape = shapeAt(editor.scopes.value, scope, keys);
  if (shape && "of" in shape) return shape.kind;
  if (shape && !("target" in shape.field)) return shape.field.type;
  const samples = {
    definition: editor.definition.peek(),
    facts: editor.facts.peek(),
  };
  const value = sampleAt(samples, scope, keys);
  const [first = value]: unknown[] = Array.isArray(value) ? value : [];
  return kindOf(first);
}
