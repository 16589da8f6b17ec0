import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { CanvasState } from "./canvas-state.js";

/** `fit` fits the sheet to the available width; a number is the scale. */
type ZoomChoice = "fit" | number;

const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2];
const STORAGE_KEY = "platen.studio.zoom";
/** The total margin at both sides of the sheet, in px. */
const SHEET_MARGIN = 48;

/** The scale of the sheet, stored in the browser. */
export class Zoom {
  readonly choice: Signal<ZoomChoice> = signal(readZoom());
  /** In px. */
  readonly availableWidth = signal(0);
  readonly scale: ReadonlySignal<number>;
  readonly #stop: () => void;

  /** @param width of the sheet, in CSS px @param max the largest scale of `fit` */
  constructor(width: ReadonlySignal<number>, max: ReadonlySignal<number>) {
    this.scale = computed(() => {
      const { value } = this.choice;
      return value === "fit"
        ? fitWidth(this.availableWidth.value, width.value, max.value)
        : value;
    });
    this.#stop = effect(() => saveZoom(this.choice.value));
  }

  /** Zooms in (1) or out (-1) by one step. */
  step(by: 1 | -1): void {
    const here = this.scale.peek();
    const next =
      by > 0
        ? ZOOM_STEPS.find((one) => one > here + 0.005)
        : ZOOM_STEPS.findLast((one) => one < here - 0.005);
    if (next !== undefined) this.choice.value = next;
  }

  /** Toggles between `fit` and the true size. */
  toggleFit(): void {
    this.choice.value = this.choice.peek() === "fit" ? 1 : "fit";
  }

  close(): void {
    this.#stop();
  }
}

function fitWidth(availableWidth: number, width: number, max: number): number {
  if (availableWidth === 0) return 1;
  return Math.min(max, Math.max(0.25, (availableWidth - SHEET_MARGIN) / width));
}

/** `fit` if the browser does not allow storage. */
function readZoom(): ZoomChoice {
  try {
    const number = Number(localStorage.getItem(STORAGE_KEY));
    return number >= 0.5 && number <= 2 ? number : "fit";
  } catch {
    return "fit";
  }
}

function saveZoom(choice: ZoomChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(choice));
  } catch {
    // Without storage, the zoom is not remembered.
  }
}

/** Over the canvas, the browser's zoom gestures (Ctrl with the wheel, plus, minus or 0) zoom the sheet. */
export function useZooming(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const options = { signal: listening.signal };
    const onWheel = (event: WheelEvent) => {
      if (!isCommand(event)) return;
      event.preventDefault();
      zoom.step(event.deltaY < 0 ? 1 : -1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event) || !"+=-0".includes(event.key)) return;
      event.preventDefault();
      if (event.key === "0") zoom.toggleFit();
      else zoom.step(event.key === "-" ? -1 : 1);
    };
    element.addEventListener("wheel", onWheel, { ...options, passive: false });
    element.addEventListener("keydown", onKeyDown, options);
    return () => listening.abort();
  }, [zoom]);
}

function isCommand({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}
