import { focusPlace } from "../commands/focus-place.js";
import { focusSelected } from "../commands/focus-selected.js";
import type { Dragged, Editor } from "../model/editor.js";
import { catalogEntry } from "../model/catalog.js";
import { insertComponent, moveComponent } from "../model/edits.js";
import { withNewIds, type ListKey } from "../model/tree.js";
import { placeWords } from "../model/place-names.js";
import { scrollAtEdge } from "./auto-scroll.js";
import { canvasSpot } from "./canvas-spot.js";
import { draggedType, dropRule } from "./drop-rules.js";
import { outlineSpot } from "./outline-spot.js";

/** One drag, from its first move until it is dropped or given up. Where it would go is looked up once a frame. */
export class DragRun {
  readonly #mayDrop: (key: ListKey) => boolean;
  #frame = 0;

  constructor(
    readonly editor: Editor,
    readonly dragged: Dragged,
  ) {
    this.#mayDrop = dropRule(editor, dragged);
    editor.drag.dragged.value = dragged;
    document.documentElement.classList.add("dragging");
    getSelection()?.removeAllRanges();
    this.#look();
  }

  move(x: number, y: number): void {
    this.editor.drag.point.value = { x, y };
  }

  /** Puts it to where the line shows; where there is none, nothing moves. */
  drop(): void {
    this.#find();
    const { editor, dragged } = this;
    const spot = editor.drag.dropSpot.peek();
    const type = draggedType(editor, dragged);
    this.end();
    if (!type) return;
    if (focusPlace(document.activeElement) !== "outline") focusSelected(editor);
    const { words } = catalogEntry(type);
    if (!spot) {
      editor.announced.value = `${words} stays where it was`;
      return;
    }
    if ("id" in dragged) {
      const from = editor.tree.peek().entries.get(dragged.id)?.spot.list;
      moveComponent(editor, dragged.id, spot);
      editor.selected.value = dragged.id;
      editor.announced.value = `${words} moved ${placeWords(editor, dragged.id, from)}`;
      return;
    }
    const made = withNewIds(dragged.make());
    insertComponent(editor, made, spot);
    editor.announced.value = `${words} added ${placeWords(editor, made.id ?? "")}`;
  }

  end(): void {
    cancelAnimationFrame(this.#frame);
    const { drag } = this.editor;
    drag.dragged.value = null;
    drag.dropSpot.value = null;
    document.documentElement.classList.remove("dragging");
  }

  #look(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#find();
      this.#look();
    });
  }

  #find(): void {
    const { drag } = this.editor;
    const at = drag.point.peek();
    const under = elementAt(at);
    scrollAtEdge(under, at);
    const spot =
      (under?.closest(".canvas") &&
        canvasSpot(this.editor, under, at, this.#mayDrop)) ||
      (under?.closest("[role=tree]") &&
        outlineSpot(this.editor, under, at.y, this.#mayDrop)) ||
      null;
    const last = drag.dropSpot.peek();
    const isSame = last?.list === spot?.list && last?.index === spot?.index;
    if (!isSame) drag.dropSpot.value = spot;
  }
}

/** What lies at a point of the page or the outline; bars that float over them do not count. */
function elementAt({ x, y }: { x: number; y: number }): Element | null {
  const [top = null, ...below] = document.elementsFromPoint(x, y);
  if (!top?.closest(".canvas") || top.closest("[data-list]")) return top;
  return below.find((one) => one.closest("[data-list]")) ?? top;
}
