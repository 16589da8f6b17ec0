import type {
  Component,
  Text,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { getChipLabel } from "../text/chip/chip.js";
import { parseTemplate } from "../text/template-parts.js";

const mostLetters = 60;

/** What a component says itself, with its variables by name: empty for those without words. */
export function rowWords(editor: Editor, component: Component): string {
  const { type, id = null } = component;
  if (type === "table-row")
    return shortened(
      component.components.map((one) => rowWords(editor, one)).join(" · "),
    );
  if (type === "image")
    return textWords(editor, id, component.alt || component.src);
  if (type === "sign-field") return component.name;
  if (type === "page-number") return component.format ?? "";
  if ("value" in component) return textWords(editor, id, component.value);
  return "text" in component ? textWords(editor, id, component.text) : "";
}

/** What tells a component without words from others of its type: its styles, or how high it is. */
export function rowDetail(component: Component): string {
  return component.type === "spacer"
    ? component.height
    : (component.class ?? "");
}

/** How it repeats or hides, in a few words; empty for most. */
export function rowNote({ collection, condition }: Component): string {
  const repeats = collection && `each ${collection.collectionId}`;
  return [repeats, condition && "if…"].filter(Boolean).join(" · ");
}

/** All of a line as one phrase, for those who hear it; what is to be seen stands in it word for word. */
export function rowPhrase(editor: Editor, component: Component): string {
  return [
    catalogEntry(component.type).words,
    rowWords(editor, component) || rowDetail(component),
    rowNote(component),
  ]
    .filter(Boolean)
    .join(", ");
}

function textWords(
  editor: Editor,
  owner: string | null,
  text: Text | undefined,
): string {
  const inlines = typeof text === "string" ? [text] : (text ?? []);
  const words = inlines.map((one) => {
    if (typeof one === "string") return templateWords(editor, owner, one);
    return "text" in one ? templateWords(editor, owner, one.text) : " ";
  });
  return shortened(words.join(""));
}

function templateWords(
  editor: Editor,
  owner: string | null,
  source: string,
): string {
  const words = parseTemplate(source).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "chip")
      return getChipLabel(editor, owner, part.source).label;
    return " ";
  });
  return words.join("");
}

function shortened(words: string): string {
  const plain = words.replaceAll(/\s+/g, " ").trim();
  return plain.length > mostLetters
    ? `${plain.slice(0, mostLetters - 1)}…`
    : plain;
}
