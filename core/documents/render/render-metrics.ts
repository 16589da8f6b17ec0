import type { RenderJob } from "./render-request.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { PlatenError, type Log, type Metrics } from "../../plugin-api/index.js";
import { METRICS } from "../../lib/process-values.js";

const upTo = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Logs and counts each document as it ends. */
@scoped(Lifecycle.ContainerScoped)
export class RenderMetrics {
  readonly #counter: ReturnType<Metrics["counter"]>;
  readonly #took: ReturnType<Metrics["durations"]>;
  readonly #phase: ReturnType<Metrics["durations"]>;

  constructor(@inject(METRICS) metrics: Metrics) {
    this.#counter = metrics.counter({
      name: "platen_renders_total",
      help: "Documents by format and outcome: succeeded, or the error's code.",
      labels: ["format", "outcome"],
    });
    this.#took = metrics.durations({
      name: "platen_render_seconds",
      help: "Time from accepting a document to recording its row.",
      labels: ["outcome"],
      upTo,
    });
    this.#phase = metrics.durations({
      name: "platen_render_phase_seconds",
      help: "Time of each phase of documents that succeeded.",
      labels: ["phase"],
      upTo,
    });
  }

  succeeded(run: RenderJob, log: Log): void {
    this.#countRender(run, "succeeded");
    for (const [phase, milliseconds] of Object.entries(run.timer.phases))
      this.#phase({ phase }, milliseconds / 1000);
    log.info(getLogFields(run), "rendered");
  }

  failed(run: RenderJob, log: Log, error: unknown): void {
    const code = error instanceof PlatenError ? error.code : "internal";
    this.#countRender(run, code);
    log.warn({ ...getLogFields(run), code }, "render failed");
  }

  #countRender({ formats, startedAt }: RenderJob, outcome: string): void {
    for (const format of formats) this.#counter({ format, outcome });
    this.#took({ outcome }, (clock.now() - startedAt.getTime()) / 1000);
  }
}

/** Only ids and times: no content of the document. */
function getLogFields(job: RenderJob) {
  const { documentId, organizationId, template, formats, timer } = job;
  const phases = Object.entries(timer.phases).map(
    ([name, ms]) => [name, Math.round(ms * 10) / 10] as const,
  );
  return {
    documentId,
    organizationId,
    templateId: template.id,
    formats,
    phases: Object.fromEntries(phases),
  };
}
