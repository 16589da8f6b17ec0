import type { ServerResponse } from "node:http";

/** The requests that are not answered yet. */
export class RunningRequests {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(response: ServerResponse): void {
    this.#count += 1;
    response.once("close", () => {
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const tell of this.#waiting.splice(0)) tell();
    });
  }

  /** Resolves at a moment when nothing runs, after `milliseconds` at the latest. */
  async none(milliseconds: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const end = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(end);
        resolve();
      });
    });
  }
}
