import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
} from "@preact/signals";

/** `fit`: as wide as there is room; otherwise px on the screen for one of the sheet. */
export type ZoomChoice = "fit" | number;

const steps = [0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2];
const kept = "platen.studio.zoom";
/** Ground at the sides of the sheet, in px together. */
const aroundSheet = 48;

/** How large the sheet is shown; remembered by the browser. */
export class Zoom {
  readonly choice: Signal<ZoomChoice> = signal(remembered());
  /** Room for the sheet, in px. */
  readonly room = signal(0);
  readonly scale: ReadonlySignal<number>;
  readonly #stop: () => void;

  /** @param width of the sheet in CSS px @param most when it is fitted */
  constructor(width: ReadonlySignal<number>, most: ReadonlySignal<number>) {
    this.scale = computed(() => {
      const { value } = this.choice;
      return value === "fit"
        ? fitting(this.room.value, width.value, most.value)
        : value;
    });
    this.#stop = effect(() => remember(this.choice.value));
  }

  /** To the next step above (1) or below (-1). */
  step(by: 1 | -1): void {
    const here = this.scale.peek();
    const next =
      by > 0
        ? steps.find((one) => one > here + 0.005)
        : steps.findLast((one) => one < here - 0.005);
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

function fitting(room: number, width: number, most: number): number {
  if (room === 0) return 1;
  return Math.min(most, Math.max(0.25, (room - aroundSheet) / width));
}

/** A browser may keep nothing for us: then each editor opens fitting. */
function remembered(): ZoomChoice {
  try {
    const number = Number(localStorage.getItem(kept));
    return number >= 0.5 && number <= 2 ? number : "fit";
  } catch {
    return "fit";
  }
}

function remember(choice: ZoomChoice): void {
  try {
    localStorage.setItem(kept, String(choice));
  } catch {
    // It is a comfort, and no more.
  }
}
