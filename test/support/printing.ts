import type { DependencyContainer } from "tsyringe";
import { PlatenError } from "../../core/plugin-api/index.js";
import type { PdfJob, PrintedPdf } from "../../core/rendering/index.js";
import { RENDERER } from "../../core/app/tokens.js";
import { lazyRenderer } from "./renderer.js";

type Print = (job: PdfJob) => Promise<PrintedPdf>;

const real: Print = (job) => lazyRenderer.pdf(job);

/** Has a service print by `print`, which may hand on to the real printer. */
export function printingBy(
  print: (job: PdfJob, printer: Print) => Promise<PrintedPdf>,
) {
  return (container: DependencyContainer): void => {
    const useValue = {
      ...lazyRenderer,
      pdf: (job: PdfJob) => print(job, real),
    };
    container.register(RENDERER, { useValue });
  };
}

/** A fault that may pass. */
export function passingFault(): PlatenError {
  return new PlatenError("render_failed", "The printer coughed.");
}

/** A door that is shut until it is opened, and those who wait before it. */
export class Gate {
  readonly #opened: Promise<void>;
  #open: () => void = () => undefined;
  #waiting = 0;

  constructor() {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  get waiting(): number {
    return this.#waiting;
  }

  async pass(): Promise<void> {
    this.#waiting += 1;
    await this.#opened;
    this.#waiting -= 1;
  }

  open(): void {
    this.#open();
  }
}
