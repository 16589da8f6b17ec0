import { effect, untracked } from "@preact/signals";
import type { Component } from "../../../../core/plugin-api/definition.js";
import { getBox, type Box } from "../canvas/boxes.js";
import { hasEditableText } from "../commands/commands.js";
import {
  createFieldPart,
  getFieldSource,
  getScopeHint,
} from "../fields/insert-field.js";
import type { DraggedField, Editor, TextSpot } from "../model/editor.js";
import type { ListKey } from "../model/tree.js";
import type { TextSurface } from "../text/text-surface.js";
import { pageSurface } from "../text/typed-text.js";
import type { DropRule } from "./drop-spot.js";
import type { Point } from "./gesture.js";

// Dragging a field of the data: into a text at the letter under the pointer, or between components as a new one.

/** The field of the data panel at an element. */
export function findDraggedField(
  editor: Editor,
  target: Element,
): DraggedField | null {
  const line = target.closest<HTMLElement>("[data-field]");
  const isControl = target.closest("button:not(.data-name, .data-insert)");
  if (!line || isControl) return null;
  const { field: name = "", collection: collectionId = "" } = line.dataset;
  const { schema } = editor.definition.peek();
  const fields = schema.find(({ id }) => id === collectionId)?.fields ?? [];
  const field = fields.find((candidate) => candidate.name === name);
  if (!field || field.type === "OneToOneLink") return null;
  return { collectionId, field };
}

/** A new component that shows the field in a list; null where its record is not in scope. */
export function createFieldPartIn(
  editor: Editor,
  key: ListKey,
  dragged: DraggedField,
): Component | null {
  const owner = editor.tree.peek().lists.get(key)?.ownerId ?? null;
  return createFieldPart(editor, owner, dragged);
}

/** In CSS px: nearer to the upper or lower edge of a text, the target is beside it. */
const MAX_EDGE = 6;

/** The rule of a drag, extended by where the field's record is in scope. */
export function withScopeRule(
  editor: Editor,
  rule: DropRule,
  dragged: DraggedField,
): DropRule {
  return {
    ...rule,
    findRefusal: (key) =>
      rule.findRefusal(key) ??
      (createFieldPartIn(editor, key, dragged)
        ? null
        : () => getScopeHint(dragged.collectionId)),
  };
}

/** The place between two letters at a point; null where the field cannot be part of a text. */
export function findTextSpot(
  editor: Editor,
  under: Element,
  at: Point,
  dragged: DraggedField,
): TextSpot | null {
  const element = under.closest<HTMLElement>(".canvas [data-id]");
  const id = element?.dataset["id"] ?? "";
  const component = editor.tree.peek().entries.get(id)?.component;
  if (!element || !component || !hasEditableText(component)) return null;
  const isPartOfList =
    component.type === "table-cell" || component.type === "list-item";
  const { top, height } = getBox(element);
  const edge = isPartOfList ? 0 : Math.min(MAX_EDGE, height / 4);
  if (at.y < top + edge || at.y > top + height - edge) return null;
  if (getFieldSource(editor, id, dragged) === null) return null;
  const surface = getSurface(id);
  return { id, ...(surface ? findIn(surface, at) : findInView(element, at)) };
}

function getSurface(id: string): TextSurface | null {
  const surface = pageSurface.peek();
  return surface?.options.owner === id ? surface : null;
}

type Place = Pick<TextSpot, "position" | "caret">;

/** In the text that is being edited. */
function findIn({ view }: TextSurface, at: Point): Place {
  const hit = view.posAtCoords({ left: at.x, top: at.y });
  const position = hit?.pos ?? view.state.doc.content.size;
  const { left, top, bottom } = view.coordsAtPos(position);
  return { position, caret: { left, top, width: 0, height: bottom - top } };
}

/** What is one position of the document of a text. */
const LEAF = ".chip, br, [data-leaf]";
/** What is shown and not part of the text. */
const EXTRA = ".no-text, .hidden-text";

/** In a text as `TextView` shows it. */
function findInView(element: Element, at: Point): Place {
  const { node, offset } = getCaretAt(at) ?? { node: element, offset: 0 };
  if (!element.contains(node) || element.querySelector(".no-text"))
    return { position: 0, caret: toCaret(getBox(element), false) };
  const around = node instanceof Element ? node : node.parentElement;
  const leaf = around?.closest(LEAF);
  if (leaf && element.contains(leaf)) {
    const box = leaf.getBoundingClientRect();
    const isAfter = at.x > box.left + box.width / 2;
    const position = countBefore(element, leaf) + (isAfter ? 1 : 0);
    return { position, caret: toCaret(box, isAfter) };
  }
  const inner =
    node instanceof Text
      ? offset
      : sum([...node.childNodes].slice(0, offset).map(countIn));
  const range = document.createRange();
  range.setStart(node, offset);
  const box = range.getBoundingClientRect();
  return {
    position: countBefore(element, node) + inner,
    caret: toCaret(box.height > 0 ? box : getBox(element), false),
  };
}

/** Older versions of Chromium have only `caretRangeFromPoint`, which is not used here. */
function getCaretAt({ x, y }: Point): { node: Node; offset: number } | null {
  const caretPosition = document.caretPositionFromPoint(x, y);
  return (
    caretPosition && {
      node: caretPosition.offsetNode,
      offset: caretPosition.offset,
    }
  );
}

function toCaret({ left, top, width, height }: Box, isAfter: boolean): Box {
  return { left: isAfter ? left + width : left, top, width: 0, height };
}

/** The positions of a node in the document of the text. */
function countIn(node: Node): number {
  if (node instanceof Text) return node.length;
  if (!(node instanceof Element) || node.matches(EXTRA)) return 0;
  return node.matches(LEAF) ? 1 : sum([...node.childNodes].map(countIn));
}

/** The positions from the start of a text to a node in it. */
function countBefore(root: Element, node: Node): number {
  if (node === root) return 0;
  let count = 0;
  for (
    let sibling = node.previousSibling;
    sibling;
    sibling = sibling.previousSibling
  )
    count += countIn(sibling);
  return node.parentNode ? count + countBefore(root, node.parentNode) : count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/** Inserts the field in the text, where the caret is from then on. */
export function dropIntoText(
  editor: Editor,
  { id, position }: TextSpot,
  dragged: DraggedField,
): void {
  const source = getFieldSource(editor, id, dragged);
  if (source === null) return;
  const insert = (surface: TextSurface) => {
    const at = Math.min(position, surface.view.state.doc.content.size);
    surface.insertLeaf("chip", source, at, at);
  };
  const surface = getSurface(id);
  if (surface) {
    insert(surface);
    return;
  }
  editor.selected.value = id;
  editor.typingPoint.value = null;
  editor.typingIn.value = id;
  const stop = effect(() => {
    const opened = pageSurface.value;
    if (opened?.options.owner !== id) return;
    queueMicrotask(() => stop());
    untracked(() => insert(opened));
  });
}
