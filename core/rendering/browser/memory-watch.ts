import type { Log } from "../../plugin-api/index.js";
import type { BrowserKeeper } from "./browser-keeper.js";

const DOCUMENTS_BETWEEN_LOOKS = 25;

/** Looks at the browser's memory now and then, and has it replaced before it grows past its limit. */
export class MemoryWatch {
  #documents = 0;
  #isLooking = false;
  #lastPssMb: number | undefined;

  constructor(
    private readonly keeper: BrowserKeeper,
    private readonly limitMb: number,
    private readonly log: Log,
  ) {}

  /** Memory of the browser's process tree at the last look, in MB. */
  get lastPssMb(): number | undefined {
    return this.#lastPssMb;
  }

  /** To be told of each printed document; a long one is worth a look at once. */
  note(isLong: boolean): void {
    this.#documents += 1;
    if (this.#isLooking) return;
    if (!isLong && this.#documents < DOCUMENTS_BETWEEN_LOOKS) return;
    this.#documents = 0;
    this.#isLooking = true;
    this.#look()
      .catch((error: unknown) =>
        this.log.warn({ err: error }, "the browser could not be replaced"),
      )
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #look(): Promise<void> {
    const pssMb = await this.keeper.live?.pssMb();
    if (pssMb === null || pssMb === undefined) return;
    this.#lastPssMb = pssMb;
    if (pssMb <= this.limitMb) return;
    this.log.info({ pssMb, limitMb: this.limitMb }, "replacing the browser");
    await this.keeper.replace();
  }
}
