import type { Progress } from "../tool.js";

const usualMs = 5000;

/**
 * Tells how far some work is, and again every few seconds while a step takes long: a client that hears nothing for a
 * minute gives the call up.
 */
export class Pulse {
  #done = 0;
  #step = "";
  readonly #timer: NodeJS.Timeout;

  /** @param everyMs between two notes of one step. */
  constructor(
    private readonly tell: (note: Progress) => void,
    everyMs = usualMs,
  ) {
    this.#timer = setInterval(() => this.#beat(), everyMs).unref();
  }

  /** A step begins. */
  begin(step: string): void {
    this.#step = step;
    this.#beat();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    this.#done += 1;
    this.tell({ done: this.#done, message: this.#step });
  }
}
