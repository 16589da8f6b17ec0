import type { ComponentType } from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";
import { Icon } from "../../ui/icon.js";
import { enterNew, focusSelectedOnPage } from "../commands/page-commands.js";
import { getFieldPartType } from "../fields/insert-field.js";
import { getFieldLabel } from "../fields/schema-edits.js";
import { getSectionMaker } from "../palette/email-sections.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Dragged, Editor } from "../model/editor.js";
import { isWithin, insertComponent, moveComponents } from "../model/edits.js";
import { placeInColumn } from "../model/arrange.js";
import { describeAddition, describeMove } from "../model/placement.js";
import { sameJson } from "../model/same-json.js";
import { addColumn } from "../model/table-edits.js";
import { withNewIds, type Entry } from "../model/tree.js";
import "./drag.css";
import {
  createDropRule,
  type DropRule,
  findDropSpot,
  getsColumn,
} from "./drop-spot.js";
import {
  createFieldPartIn,
  dropIntoText,
  findDraggedField,
  findTextSpot,
  withScopeRule,
} from "./field-drop.js";
import { type Gesture, type Point, scrollAtEdge } from "./gesture.js";

/** The palette item, field, outline row or component on the page at an element; null if it cannot be dragged. */
export function findDragged(editor: Editor, target: Element): Dragged | null {
  const type = target.closest("[data-new]")?.getAttribute("data-new");
  if (type) {
    // The palette sets only component types.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { make } = getCatalogEntry(type as ComponentType);
    return { make: () => make(editor.templateType) };
  }
  const dataField = findDraggedField(editor, target);
  if (dataField) return { dataField };
  const name = target
    .closest("[data-new-block]")
    ?.getAttribute("data-new-block");
  if (name) return { make: () => ({ type: "partial", name }) };
  const key = target
    .closest("[data-new-section]")
    ?.getAttribute("data-new-section");
  const make = key ? getSectionMaker(editor, key) : null;
  if (make) return { make };
  const row = target.closest("[data-row]")?.getAttribute("data-row");
  if (row) return target.closest("button") ? null : dragFrom(editor, row);
  const drawn = target.closest("[data-id]");
  const id = drawn?.getAttribute("data-id");
  if (!id || !drawn?.closest(".canvas")) return null;
  const control = target.closest("button, input, [contenteditable]");
  if (control && drawn.contains(control) && control !== drawn) return null;
  if (id === editor.typingIn.peek()) return null;
  return dragFrom(editor, id);
}

/** Dragging a selected component or one inside of it drags everything that is selected. */
function dragFrom(editor: Editor, id: string): Dragged {
  const selected = editor.selection.peek();
  const isSelected = selected.some((entry) => isWithin(editor, id, entry.id));
  return { ids: isSelected ? selected.map((entry) => entry.id) : [id] };
}

function getDraggedEntries(editor: Editor, dragged: Dragged): Entry[] {
  const { entries } = editor.tree.peek();
  const ids = "ids" in dragged ? dragged.ids : [];
  return ids.flatMap((id) => entries.get(id) ?? []);
}

/** The drop target is updated once per frame. */
export class Drag implements Gesture {
  readonly #rule: DropRule;
  #frame = 0;

  constructor(
    readonly editor: Editor,
    readonly dragged: Dragged,
  ) {
    const rule = createDropRule(
      editor,
      getDraggedTypes(editor, dragged),
      getDraggedEntries(editor, dragged),
    );
    this.#rule =
      "dataField" in dragged
        ? withScopeRule(editor, rule, dragged.dataField)
        : rule;
    editor.drag.dragged.value = dragged;
    document.documentElement.classList.add("dragging");
    getSelection()?.removeAllRanges();
    this.#startLoop();
  }

  move(at: Point): void {
    this.editor.drag.point.value = at;
  }

  /** Moves or inserts the component at the drop target, if there is one. */
  end(): void {
    this.#updateSpot();
    const { editor, dragged } = this;
    const spot = editor.drag.dropSpot.peek();
    const textSpot = editor.drag.textSpot.peek();
    const entries = getDraggedEntries(editor, dragged);
    const words = getDraggedWords(editor, dragged);
    const reason = editor.drag.refusal.peek();
    this.cancel();
    if (words === null) return;
    if ("dataField" in dragged && textSpot) {
      dropIntoText(editor, textSpot, dragged.dataField);
      editor.announced.value = t("edits.fieldInserted", { field: words });
      return;
    }
    focusSelectedOnPage(editor);
    if (!spot) {
      editor.announced.value =
        reason === null
          ? t("editor.notMoved", { component: words })
          : t("arrange.notMovedBecause", { component: words, reason });
      return;
    }
    const isNewColumn = getsColumn(editor, this.#rule.types, spot);
    if ("ids" in dragged) {
      if (isNewColumn) placeInColumn(editor, { entries }, spot);
      else moveComponents(editor, entries, spot);
      editor.selected.replace(dragged.ids);
      const [first, ...others] = entries;
      editor.announced.value =
        first && others.length === 0
          ? describeMove(editor, first.id, first.spot.list)
          : t("editor.componentsMoved", { count: entries.length });
      return;
    }
    const part =
      "make" in dragged
        ? dragged.make()
        : createFieldPartIn(editor, spot.list, dragged.dataField);
    if (!part) return;
    const made = withNewIds(part);
    if (made.type === "table-cell" && addColumn(editor, spot)) {
      const cell = editor.selected.peek() ?? "";
      editor.announced.value = describeAddition(editor, cell);
      return;
    }
    if (isNewColumn) placeInColumn(editor, { made: [made] }, spot);
    else insertComponent(editor, made, spot);
    editor.announced.value = describeAddition(editor, made.id ?? "");
    enterNew(editor);
  }

  cancel(): void {
    cancelAnimationFrame(this.#frame);
    const { drag } = this.editor;
    drag.dragged.value = null;
    drag.dropSpot.value = null;
    drag.textSpot.value = null;
    drag.refusal.value = null;
    document.documentElement.classList.remove("dragging");
  }

  #startLoop(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#updateSpot();
      this.#startLoop();
    });
  }

  #updateSpot(): void {
    const { drag } = this.editor;
    const at = drag.point.peek();
    const under = findElementAt(at);
    scrollAtEdge(under, at);
    const textSpot =
      under && "dataField" in this.dragged
        ? findTextSpot(this.editor, under, at, this.dragged.dataField)
        : null;
    if (!sameJson(drag.textSpot.peek(), textSpot))
      drag.textSpot.value = textSpot;
    const dropTarget = textSpot
      ? null
      : findDropSpot(this.editor, under, at, this.#rule);
    const spot = dropTarget && "list" in dropTarget ? dropTarget : null;
    drag.refusal.value =
      dropTarget && "refusal" in dropTarget ? dropTarget.refusal : null;
    if (!sameJson(drag.dropSpot.peek(), spot)) drag.dropSpot.value = spot;
  }
}

/** The element at a point of the page or the outline, ignoring toolbars above them. */
function findElementAt({ x, y }: { x: number; y: number }): Element | null {
  const [top = null, ...below] = document.elementsFromPoint(x, y);
  if (!top?.closest(".canvas") || top.closest("[data-list]")) return top;
  return below.find((element) => element.closest("[data-list]")) ?? top;
}

/** Above the editor: what is dragged, next to the pointer, or the rectangle that selects. */
export function GestureLayer() {
  const { marquee, resizing, textSpot } = useEditor().drag;
  const box = marquee.value;
  const resize = resizing.value;
  const caret = textSpot.value?.caret;
  return (
    <>
      <DragGhost />
      {resize?.line && (
        <div
          class={`resize-line ${resize.isAligned ? "is-aligned" : ""}`}
          style={{
            left: `${resize.line.left}px`,
            top: `${resize.line.top}px`,
            height: `${resize.line.height}px`,
          }}
        />
      )}
      {resize && (
        <div
          class={`resize-label ${resize.isAligned ? "is-aligned" : ""}`}
          style={{
            translate: `${resize.point.x + 14}px ${resize.point.y + 14}px`,
          }}
        >
          {resize.label}
        </div>
      )}
      {caret && (
        <div
          class="drop-caret"
          style={{
            left: `${caret.left}px`,
            top: `${caret.top}px`,
            height: `${caret.height}px`,
          }}
        />
      )}
      {box && (
        <div
          class="marquee"
          style={{
            left: `${box.left}px`,
            top: `${box.top}px`,
            width: `${box.width}px`,
            height: `${box.height}px`,
          }}
        />
      )}
    </>
  );
}

/** Shows what is dragged next to the pointer; faded where it cannot be dropped, with the reason. */
function DragGhost() {
  const editor = useEditor();
  const { dragged, dropSpot, textSpot, point, refusal } = editor.drag;
  const type = dragged.value && getDraggedTypes(editor, dragged.value)[0];
  if (!dragged.value || !type) return null;
  const { icon } = getCatalogEntry(type);
  const { x, y } = point.value;
  const isAtEdge = x > innerWidth - GHOST_WIDTH;
  const left = isAtEdge ? `calc(${x - 12}px - 100%)` : `${x + 12}px`;
  return (
    <div
      class={`drag-ghost ${(dropSpot.value ?? textSpot.value) ? "" : "nowhere"}`}
      style={{ translate: `${left} ${y + 10}px` }}
    >
      <Icon name={icon} size={16} />
      {getDraggedWords(editor, dragged.value)}
      {refusal.value !== null && (
        <span class="drag-refusal">{refusal.value}</span>
      )}
    </div>
  );
}

/** In CSS px: enough for a reason. */
const GHOST_WIDTH = 360;

function getDraggedTypes(editor: Editor, dragged: Dragged): ComponentType[] {
  if ("make" in dragged) return [dragged.make().type];
  if ("dataField" in dragged) return [getFieldPartType(dragged.dataField)];
  return getDraggedEntries(editor, dragged).map(
    ({ component }) => component.type,
  );
}

/** The name of what is dragged, or how many components are; null if they are gone. */
function getDraggedWords(editor: Editor, dragged: Dragged): string | null {
  const types = getDraggedTypes(editor, dragged);
  const [type] = types;
  if (!type) return null;
  if ("dataField" in dragged) return getFieldLabel(dragged.dataField.field);
  return types.length === 1
    ? getCatalogEntry(type).words
    : t("canvas.components", { count: types.length });
}
