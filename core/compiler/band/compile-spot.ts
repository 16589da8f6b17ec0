import {
  compileLogic,
  compileText,
  withoutControls,
  type Scope,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { DEFAULT_FORMAT } from "../components/emit-page-number.js";
import { PAGE_MARK, PAGES_MARK } from "../components/numbers.js";
import type { Inline } from "../../definition/schema/text-schema.js";
import type { Run } from "../merge/run.js";
import type { NumberSpot } from "./locate-numbers.js";

/** The text of a spot for one record, with marks for the numbers. */
export type SpotText = (root: Scope, run: Run) => string;

export function compileSpot(
  { component, path }: NumberSpot,
  types: ScopeTypes,
): SpotText {
  const parts = partsOf(component).map((part) =>
    compilePart(part, path, types),
  );
  const shown = component.condition
    ? compileLogic(component.condition, path, types)
    : () => true;
  return (root, run) =>
    shown(root) ? parts.map((part) => part(root, run)).join("") : "";
}

function partsOf(component: NumberSpot["component"]): Inline[] {
  if (component.type === "text")
    return Array.isArray(component.text) ? component.text : [component.text];
  const words = (component.format ?? DEFAULT_FORMAT).split(/(\{pages?\})/);
  return words.map((word): Inline => {
    if (word === "{page}") return { pageNumber: "page" };
    if (word === "{pages}") return { pageNumber: "pages" };
    return { text: word.replaceAll("{{", "\\{{") };
  });
}

function compilePart(part: Inline, path: string, types: ScopeTypes): SpotText {
  if (typeof part === "object" && "br" in part) return () => "\n";
  if (typeof part === "object" && "pageNumber" in part) {
    const mark = part.pageNumber === "page" ? PAGE_MARK : PAGES_MARK;
    return () => mark;
  }
  const source = typeof part === "string" ? part : part.text;
  const text = compileText(source, path, types);
  return (root, run) => run.guardText(withoutControls(text(root, "plain")));
}
