import type { Dragged, Editor } from "../model/editor.js";
import { DragRun } from "./drag-run.js";
import { dragSubject } from "./drag-subject.js";

/** In CSS px: a mouse drags from here on; a finger that goes so far before its time scrolls. */
const slack = 5;
/** So long a finger rests before it drags. */
const holdMs = 350;

/** A pointer that is down on something that can be dragged, and the drag that comes of it. */
export class Grip {
  #run: DragRun | null = null;
  #stop = new AbortController();

  constructor(readonly editor: Editor) {}

  take(event: PointerEvent): void {
    const { target, button, isPrimary } = event;
    if (!this.editor.mayEdit || button !== 0 || !isPrimary) return;
    const subject =
      target instanceof Element ? dragSubject(this.editor, target) : null;
    if (!subject) return;
    this.letGo();
    this.#stop = new AbortController();
    this.#listen(event, subject);
  }

  /** Gives up whatever is going on. */
  letGo(): void {
    this.#stop.abort();
    this.#run?.end();
    this.#run = null;
  }

  #listen(begun: PointerEvent, subject: Dragged): void {
    const { signal } = this.#stop;
    const isFinger = begun.pointerType === "touch";
    const begin = (x: number, y: number) => {
      this.#run = new DragRun(this.editor, subject);
      this.#run.move(x, y);
    };
    const hold = isFinger
      ? setTimeout(() => begin(begun.clientX, begun.clientY), holdMs)
      : undefined;
    signal.addEventListener("abort", () => clearTimeout(hold));
    const move = ({ clientX: x, clientY: y }: PointerEvent) => {
      const way = Math.hypot(x - begun.clientX, y - begun.clientY);
      if (this.#run) this.#run.move(x, y);
      else if (way > slack && isFinger) this.letGo();
      else if (way > slack) begin(x, y);
    };
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", (event) => this.#drop(event), { signal });
    addEventListener("pointercancel", () => this.letGo(), { signal });
    this.#keepOthersOut(signal);
  }

  /** While something is dragged the browser does not scroll, open menus, or drag pictures of its own accord. */
  #keepOthersOut(signal: AbortSignal): void {
    const whileRunning = (event: Event) => {
      if (this.#run) event.preventDefault();
    };
    addEventListener("touchmove", whileRunning, { signal, passive: false });
    addEventListener("contextmenu", whileRunning, { signal });
    addEventListener("dragstart", (event) => event.preventDefault(), {
      signal,
    });
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !this.#run) return;
      event.preventDefault();
      event.stopPropagation();
      this.letGo();
      this.editor.announced.value = "Nothing was moved";
    };
    addEventListener("keydown", escape, { signal, capture: true });
  }

  #drop({ clientX, clientY }: PointerEvent): void {
    const run = this.#run;
    run?.move(clientX, clientY);
    this.#run = null;
    this.#stop.abort();
    if (!run) return;
    swallowClick();
    run.drop();
  }
}

/** The click that follows a drop is not meant for what lies there. */
function swallowClick(): void {
  const options = { capture: true, once: true } as const;
  addEventListener("click", swallow, options);
  setTimeout(() => removeEventListener("click", swallow, options));
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
