import { type Log, type Metrics, PlatenError } from "../plugin-api/index.js";
import type { RenderRun } from "./render-run.js";

const upTo = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Tells the log and the metrics of each document as it ends. */
export class RenderWitness {
  readonly #count: ReturnType<Metrics["counter"]>;
  readonly #took: ReturnType<Metrics["durations"]>;
  readonly #phase: ReturnType<Metrics["durations"]>;

  constructor(metrics: Metrics) {
    this.#count = metrics.counter({
      name: "platen_renders_total",
      help: "Documents by format, and by outcome: succeeded, or the code of the error.",
      labels: ["format", "outcome"],
    });
    this.#took = metrics.durations({
      name: "platen_render_seconds",
      help: "From the acceptance of a document to its row.",
      labels: ["outcome"],
      upTo,
    });
    this.#phase = metrics.durations({
      name: "platen_render_phase_seconds",
      help: "Of documents that succeeded, the time of each phase.",
      labels: ["phase"],
      upTo,
    });
  }

  succeeded(run: RenderRun, log: Log): void {
    this.#note(run, "succeeded");
    for (const [phase, milliseconds] of Object.entries(run.timer.phases))
      this.#phase({ phase }, milliseconds / 1000);
    log.info(fieldsOf(run), "rendered");
  }

  failed(run: RenderRun, log: Log, error: unknown): void {
    const code = error instanceof PlatenError ? error.code : "internal";
    this.#note(run, code);
    log.warn({ ...fieldsOf(run), code }, "not rendered");
  }

  #note({ request, startedAt }: RenderRun, outcome: string): void {
    for (const format of request.formats) this.#count({ format, outcome });
    this.#took({ outcome }, (Date.now() - startedAt.getTime()) / 1000);
  }
}

/** Ids and times alone: nothing of what the document says. */
function fieldsOf({ documentId, request, template, timer }: RenderRun) {
  const phases = Object.entries(timer.phases).map(
    ([name, ms]) => [name, Math.round(ms * 10) / 10] as const,
  );
  return {
    documentId,
    organizationId: request.organizationId,
    templateId: template.id,
    formats: request.formats,
    phases: Object.fromEntries(phases),
  };
}
