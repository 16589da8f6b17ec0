import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { CanvasState } from "./canvas-state.js";

/** `fit`: as wide as there is room; otherwise px on the screen for one of the sheet. */
type ZoomChoice = "fit" | number;

const ZOOM_STEPS = [0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2];
const STORAGE_KEY = "platen.studio.zoom";
/** Ground at the sides of the sheet, in px together. */
const SHEET_MARGIN = 48;

/** How large the sheet is shown; remembered by the browser. */
export class Zoom {
  readonly choice: Signal<ZoomChoice> = signal(readZoom());
  /** Room for the sheet, in px. */
  readonly availableWidth = signal(0);
  readonly scale: ReadonlySignal<number>;
  readonly #stop: () => void;

  /** @param width of the sheet in CSS px @param most when it is fitted */
  constructor(width: ReadonlySignal<number>, max: ReadonlySignal<number>) {
    this.scale = computed(() => {
      const { value } = this.choice;
      return value === "fit"
        ? fitWidth(this.availableWidth.value, width.value, max.value)
        : value;
    });
    this.#stop = effect(() => saveZoom(this.choice.value));
  }

  /** To the next step above (1) or below (-1). */
  step(by: 1 | -1): void {
    const here = this.scale.peek();
    const next =
      by > 0
        ? ZOOM_STEPS.find((one) => one > here + 0.005)
        : ZOOM_STEPS.findLast((one) => one < here - 0.005);
    if (next !== undefined) this.choice.value = next;
  }

  /** As wide as there is room; when it is, its true size. */
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

/** A browser may keep nothing for us: then each editor opens fitting. */
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
    // It is a comfort, and no more.
  }
}

/** Over the page, what zooms a browser's page (Ctrl with the wheel, plus, minus or 0) zooms the sheet. */
export function useZooming(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
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
    element.addEventListener("wheel", onWheel, { signal, passive: false });
    element.addEventListener("keydown", onKeyDown, { signal });
    return () => listening.abort();
  }, [zoom]);
}

function isCommand({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}
