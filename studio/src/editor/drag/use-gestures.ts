import { useLayoutEffect } from "preact/hooks";
import { clock } from "../../../../core/lib/clock.js";
import { t } from "../../messages/index.js";
import type { Editor } from "../model/editor.js";
import { Drag, findDragged } from "./drag.js";
import type { Gesture, Point } from "./gesture.js";
import { isMarqueeStart, Marquee } from "./marquee.js";
import { findResize } from "./resize.js";

/** Handles gestures with a mouse, pen or finger on the palette, the page and the outline. */
export function useGestures(editor: Editor): void {
  useLayoutEffect(() => {
    const controller = new GestureController(editor);
    const start = (event: PointerEvent) => controller.start(event);
    addEventListener("pointerdown", start);
    return () => {
      removeEventListener("pointerdown", start);
      controller.cancel();
    };
  }, [editor]);
}

/** In CSS px: a mouse that moves this far drags; a finger that moves this far before `HOLD_MS` scrolls. */
const DRAG_THRESHOLD = 5;
/** How long a finger must hold still before it drags. */
const HOLD_MS = 350;

/** Follows a pressed pointer and starts a gesture once it has moved or held long enough. */
class GestureController {
  #gesture: Gesture | null = null;
  #stop = new AbortController();

  constructor(readonly editor: Editor) {}

  start(event: PointerEvent): void {
    this.editor.refusal.value = null;
    if (event.button !== 0 || !event.isPrimary) return;
    const create = findGesture(this.editor, event);
    if (!create) return;
    this.cancel();
    this.#stop = new AbortController();
    this.#listen(event, create);
  }

  cancel(): void {
    this.#stop.abort();
    this.#gesture?.cancel();
    this.#gesture = null;
  }

  #listen(pressed: PointerEvent, create: () => Gesture): void {
    const { signal } = this.#stop;
    const isFinger = pressed.pointerType === "touch";
    const begin = (event: PointerEvent) => {
      this.#gesture = create();
      this.#gesture.move(toPoint(event), event);
    };
    const hold = isFinger
      ? clock.limit(HOLD_MS, () => begin(pressed))
      : undefined;
    signal.addEventListener("abort", () => hold?.cancel());
    const move = (event: PointerEvent) => {
      const { clientX: x, clientY: y } = event;
      const distance = Math.hypot(x - pressed.clientX, y - pressed.clientY);
      if (this.#gesture) this.#gesture.move({ x, y }, event);
      else if (distance > DRAG_THRESHOLD && isFinger) this.cancel();
      else if (distance > DRAG_THRESHOLD) begin(event);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", (event) => this.#end(event), { signal });
    addEventListener("pointercancel", () => this.cancel(), { signal });
    this.#preventDefaults(signal);
  }

  /** Keeps the browser from scrolling, opening context menus and dragging images during a gesture. Escape cancels. */
  #preventDefaults(signal: AbortSignal): void {
    const preventDuringGesture = (event: Event) => {
      if (this.#gesture) event.preventDefault();
    };
    addEventListener("touchmove", preventDuringGesture, {
      signal,
      passive: false,
    });
    addEventListener("contextmenu", preventDuringGesture, { signal });
    addEventListener("dragstart", (event) => event.preventDefault(), {
      signal,
    });
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !this.#gesture) return;
      event.preventDefault();
      event.stopPropagation();
      this.cancel();
      ignoreClickAfterRelease();
      this.editor.announced.value = t("editor.dragCanceled");
    };
    addEventListener("keydown", escape, { signal, capture: true });
  }

  #end(event: PointerEvent): void {
    const gesture = this.#gesture;
    gesture?.move(toPoint(event), event);
    this.#gesture = null;
    this.#stop.abort();
    if (!gesture) return;
    ignoreNextClick();
    gesture.end();
  }
}

function toPoint({ clientX: x, clientY: y }: PointerEvent): Point {
  return { x, y };
}

/** Creates the gesture that a press starts; null if it starts none. */
function findGesture(
  editor: Editor,
  pressed: PointerEvent,
): (() => Gesture) | null {
  if (!(pressed.target instanceof Element)) return null;
  const resize = editor.mayEdit ? findResize(editor, pressed) : null;
  if (resize) return resize;
  const dragged = editor.mayEdit ? findDragged(editor, pressed.target) : null;
  if (dragged) return () => new Drag(editor, dragged);
  return isMarqueeStart(pressed) ? () => new Marquee(editor, pressed) : null;
}

/** The browser sends a click after a drop to the element at that place. */
function ignoreNextClick(): void {
  const options = { capture: true, once: true } as const;
  addEventListener("click", stopEvent, options);
  clock.after(0, () => removeEventListener("click", stopEvent, options));
}

/** After a canceled gesture the button is still pressed. */
function ignoreClickAfterRelease(): void {
  addEventListener("pointerup", ignoreNextClick, { once: true });
}

function stopEvent(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
