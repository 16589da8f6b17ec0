import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "./catalog.js";
import { readClip } from "./clipboard/read-clip.js";
import {
  collectionNames,
  withFreeNames,
} from "./clipboard/rename-collections.js";
import { insertComponents } from "./edits.js";
import type { Editor } from "./editor.js";
import { withNewIds } from "./ids.js";
import { nearestSpot } from "./insertion.js";
import type { Spot } from "./tree.js";

// Copies are text: what people and assistants can read, and other templates and windows can take.

/** What came of it: how many components are there now, or why none is, in words. */
export type Pasted = { count: number } | { fault: string };

/** A component with all that it holds, as text for the clipboard; null when it is not there. */
export function clipOf(editor: Editor, id: string): string | null {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return null;
  return JSON.stringify({ platen: 1, components: [entry.component] }, null, 2);
}

/** Puts what a clipboard's text says to where the selection is, as one step. */
export function pasteText(editor: Editor, text: string): Pasted {
  if (text.trim() === "") return { fault: "There is nothing to paste." };
  const clip = readClip(text);
  if ("fault" in clip) return clip;
  const { components } = clip;
  const types = components.map(({ type }) => type);
  const strange = foreign(editor, components);
  if (strange)
    return { fault: `${catalogEntry(strange).words}: ${notHere(editor)}` };
  const spot = afterItself(editor, components) ?? nearestHere(editor, types);
  if (!spot) return { fault: noPlace(types) };
  putIn(editor, components, spot, "Paste");
  return { count: components.length };
}

function nearestHere(
  editor: Editor,
  types: readonly ComponentType[],
): Spot | null {
  return nearestSpot(editor, types, editor.selected.peek());
}

/** What was copied from where the selection still is goes beside it, and not into it. */
function afterItself(
  editor: Editor,
  components: readonly Component[],
): Spot | null {
  const selected = editor.selectedEntry.peek();
  if (!selected || !components.some(({ id }) => id === selected.id))
    return null;
  const { list, index } = selected.spot;
  return { list, index: index + 1 };
}

/** Puts a copy of a component after it, and selects it. */
export function duplicateComponent(editor: Editor, id: string): void {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return;
  const { list, index } = entry.spot;
  const { words } = catalogEntry(entry.component.type);
  const name = `Duplicate ${words.toLowerCase()}`;
  putIn(editor, [entry.component], { list, index: index + 1 }, name);
}

function putIn(
  editor: Editor,
  components: readonly Component[],
  spot: Spot,
  name: string,
): void {
  const { schema } = editor.definition.peek();
  const taken = new Set(collectionNames(allComponents(editor)));
  const free = withFreeNames(components, taken, schema);
  insertComponents(editor, free.map(withNewIds), spot, name);
}

function allComponents(editor: Editor): Component[] {
  const lists = [...editor.tree.peek().lists.values()];
  return lists
    .filter(({ ownerId }) => ownerId === null)
    .flatMap(({ components }) => components);
}

/** A type, at any depth, that templates of the other kind alone have. */
function foreign(
  editor: Editor,
  components: readonly Component[],
): ComponentType | null {
  const { design, templateType } = editor;
  const refused =
    templateType === "email" ? design.documentOnly : design.emailOnly;
  for (const one of components) {
    if (refused.includes(one.type)) return one.type;
    const inner = [
      ...(("components" in one && one.components) || []),
      ...(one.condition?.else ?? []),
      ...(one.collection?.empty ?? []),
    ];
    const found = foreign(editor, inner);
    if (found) return found;
  }
  return null;
}

function notHere({ templateType }: Editor): string {
  return templateType === "email"
    ? "only documents can have it, and this is an email."
    : "only emails can have it, and this is a document.";
}

function noPlace(types: readonly ComponentType[]): string {
  const homes: Partial<Record<ComponentType, string>> = {
    "table-row": "a table",
    "table-cell": "a row of a table",
    column: "columns",
    "list-item": "a list",
  };
  const [type = "text"] = types;
  const home = types.map((one) => homes[one]).find(Boolean);
  const { words } = catalogEntry(type);
  return home === undefined
    ? `${words} cannot stand here.`
    : `${words}: this goes into ${home}. Select one and paste again.`;
}
