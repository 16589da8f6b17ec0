import { t } from "../../messages/index.js";
import { type Box, getRects } from "../canvas/boxes.js";
import { focusSelectedOnPage } from "../commands/page-commands.js";
import type { Editor } from "../model/editor.js";
import { type ListKey, listKey } from "../model/tree.js";
import { type Gesture, type Point, scrollAtEdge } from "./gesture.js";

/** Whether a press is on an empty place of the page or on the ground around it. A finger scrolls there. */
export function isMarqueeStart(pressed: PointerEvent): boolean {
  const { target, pointerType, clientX, clientY } = pressed;
  if (!(target instanceof Element) || pointerType === "touch") return false;
  const canvas = target.closest(".canvas");
  const isTaken = target.closest(
    "[data-id], button, input, [contenteditable], [role=separator], .canvas-tools",
  );
  if (!canvas || isTaken) return false;
  const { left, top } = canvas.getBoundingClientRect();
  const isOnScrollbar =
    clientX - left > canvas.clientWidth || clientY - top > canvas.clientHeight;
  return !isOnScrollbar;
}

/** Selects the components that a rectangle touches; with Shift, adds them to the selection. */
export class Marquee implements Gesture {
  readonly #before: readonly string[];
  readonly #keptIds: readonly string[];
  readonly #canvas: Element;
  /** The elements of each component; one that repeats may have several. */
  readonly #elements = new Map<string, Element[]>();
  /** Where it started, in px from the corner of the scrolled content. */
  readonly #start: Point;
  #at: Point;
  #frame = 0;

  constructor(
    readonly editor: Editor,
    pressed: PointerEvent,
  ) {
    const canvas =
      pressed.target instanceof Element && pressed.target.closest(".canvas");
    if (!canvas) throw new Error("A marquee must start on the canvas");
    this.#canvas = canvas;
    this.#at = { x: pressed.clientX, y: pressed.clientY };
    this.#start = {
      x: pressed.clientX + canvas.scrollLeft,
      y: pressed.clientY + canvas.scrollTop,
    };
    this.#before = editor.selected.ids.peek();
    this.#keptIds = pressed.shiftKey ? this.#before : [];
    for (const element of canvas.querySelectorAll(".sheet [data-id]")) {
      const id = element.getAttribute("data-id") ?? "";
      this.#elements.set(id, [...(this.#elements.get(id) ?? []), element]);
    }
    editor.typingIn.value = null;
    document.documentElement.classList.add("selecting");
    getSelection()?.removeAllRanges();
    this.#startLoop();
  }

  move(at: Point): void {
    this.#at = at;
  }

  end(): void {
    this.#update();
    this.#stop();
    const { editor } = this;
    const count = editor.selected.ids.peek().length;
    editor.announced.value = t("editor.componentsSelected", { count });
    focusSelectedOnPage(editor);
  }

  cancel(): void {
    this.#stop();
    this.editor.selected.replace(this.#before);
  }

  #stop(): void {
    cancelAnimationFrame(this.#frame);
    this.editor.drag.marquee.value = null;
    document.documentElement.classList.remove("selecting");
  }

  #startLoop(): void {
    this.#frame = requestAnimationFrame(() => {
      scrollAtEdge(this.#canvas, this.#at);
      this.#update();
      this.#startLoop();
    });
  }

  #update(): void {
    const { editor } = this;
    const box = this.#getBox();
    editor.drag.marquee.value = box;
    const regions = [...editor.tree.peek().lists.values()]
      .filter(({ ownerId }) => ownerId === null)
      .map(({ key }) => key);
    const touched = this.#findTouched(box, regions);
    const isUpwards = this.#at.y < box.top + box.height / 2;
    // The last one is scrolled into view, so it must be the one nearest to the pointer.
    const ordered = isUpwards ? touched.toReversed() : touched;
    const others = this.#keptIds.filter((id) => !touched.includes(id));
    editor.selected.replace([...others, ...ordered]);
  }

  #getBox(): Box {
    const { x, y } = this.#at;
    const startX = this.#start.x - this.#canvas.scrollLeft;
    const startY = this.#start.y - this.#canvas.scrollTop;
    return {
      left: Math.min(x, startX),
      top: Math.min(y, startY),
      width: Math.abs(x - startX),
      height: Math.abs(y - startY),
    };
  }

  /** Of a single component that is only touched in part, those inside it. */
  #findTouched(box: Box, lists: readonly ListKey[]): string[] {
    const tree = this.editor.tree.peek();
    const touched = lists
      .flatMap((key) => tree.lists.get(key)?.components ?? [])
      .map(({ id = "" }) => id)
      .filter((id) => this.#listRects(id).some((rect) => overlaps(rect, box)));
    const [only, ...others] = touched;
    if (only === undefined || others.length > 0) return touched;
    if (this.#listRects(only).every((rect) => contains(box, rect)))
      return touched;
    const slots = (["components", "else", "empty"] as const).map((slot) =>
      listKey(only, slot),
    );
    const inside = this.#findTouched(box, slots);
    return inside.length > 0 ? inside : touched;
  }

  #listRects(id: string): Box[] {
    return (this.#elements.get(id) ?? []).flatMap(getRects);
  }
}

function overlaps(box: Box, other: Box): boolean {
  return (
    box.left < other.left + other.width &&
    other.left < box.left + box.width &&
    box.top < other.top + other.height &&
    other.top < box.top + box.height
  );
}

function contains(outer: Box, inner: Box): boolean {
  return (
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.left + outer.width >= inner.left + inner.width &&
    outer.top + outer.height >= inner.top + inner.height
  );
}
