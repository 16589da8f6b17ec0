import type {
  Inline,
  Text,
} from "../../../../../../../core/plugin-api/definition.js";
import { isObject } from "./same-json.js";

/** Whether a property is a text of a part; such a value may be written one after another. */
export function isText(path: readonly string[], value: unknown): value is Text {
  if (path.length !== 1 || path[0] !== "text") return false;
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.every(isInline);
}

/** One text, and the other on a line of its own below it. */
export function bothTexts(mine: Text, theirs: Text): Text {
  if (typeof mine === "string" && typeof theirs === "string")
    return `${mine}\n${theirs}`;
  return [...inlinesOf(mine), { br: true }, ...inlinesOf(theirs)];
}

function isInline(one: unknown): one is Inline {
  if (typeof one === "string") return true;
  return isObject(one) && ("text" in one || "br" in one || "pageNumber" in one);
}

function inlinesOf(text: Text): readonly Inline[] {
  return typeof text === "string" ? [text] : text;
}
