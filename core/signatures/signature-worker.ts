import type { JobOutcome, RunningJob } from "../queue/index.js";
import { SignatureRequest } from "../storage/database/index.js";
import { changeRequest } from "./change-request.js";
import { endRequest } from "./end-request.js";
import type { EsignParts } from "./ports.js";
import { RequestStarter } from "./start/start-request.js";
import { RequestWatcher } from "./watch/watch-request.js";

const hourMs = 60 * 60_000;

/** What the jobs of requests do: whatever the row says is next. */
export class SignatureWorker {
  readonly #starter: RequestStarter;
  readonly #watcher: RequestWatcher;

  constructor(private readonly parts: EsignParts) {
    this.#starter = new RequestStarter(parts);
    this.#watcher = new RequestWatcher(parts);
  }

  async work(job: RunningJob): Promise<JobOutcome> {
    const row = await this.#find(job.rowId);
    if (row?.status === "starting") return this.#starter.work(row, job);
    if (row?.status === "pending") return this.#watcher.work(row, job);
  }

  /** Runs ended with their process, time after time. What is at the provider is looked at again later. */
  async poison(id: string, runs: number): Promise<void> {
    const row = await this.#find(id);
    if (row === null) return;
    const { status, sentAt } = row;
    if (status === "starting" && sentAt === null) {
      const error = `The process that was to send it ended ${runs} times. Render the document again.`;
      await endRequest(this.parts, row, { status: "failed", error }, null);
    } else if (status === "starting" || status === "pending") {
      const nextLookAt = new Date(this.parts.now().getTime() + hourMs);
      await this.parts.store.unitOfWork.run((tx) =>
        changeRequest(tx, { id, status }, { nextLookAt }),
      );
    }
  }

  #find(id: string): Promise<SignatureRequest | null> {
    return this.parts.store.read.findOneBy(SignatureRequest, { id });
  }
}
