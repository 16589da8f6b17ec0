import type { FileStore, Log } from "../../plugin-api/index.js";
import type { Store } from "../database/index.js";
import { deleteExpiredOutputs } from "./expired-outputs.js";
import { deleteOrphanedOutputs } from "./orphaned-outputs.js";

const hourMs = 60 * 60_000;

/** Deletes files whose time is over: at the start, then every hour. Orphans too, which are old enough after an hour. */
export class FileSweeper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly files: FileStore,
    private readonly log: Log,
    /** What other rooms have swept, every hour. */
    private readonly others: readonly ((now: Date) => Promise<void>)[] = [],
  ) {}

  start(): void {
    this.sweep(() => this.expired());
    this.timer = setInterval(() => {
      this.sweep(() => this.expired());
      this.sweep(() => this.orphaned());
      for (const other of this.others) this.sweep(() => other(new Date()));
    }, hourMs).unref();
  }

  /** Resolves when the running sweep is done. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One after the other; a failure is logged, and the next hour tries again. */
  private sweep(work: () => Promise<void>): void {
    this.running = this.running.then(work).catch((error: unknown) => {
      this.log.warn({ err: error }, "sweeping files failed");
    });
  }

  private async expired(): Promise<void> {
    const { store, files } = this;
    const documents = await deleteExpiredOutputs(store, files, new Date());
    if (documents > 0) this.log.info({ documents }, "expired files deleted");
  }

  private async orphaned(): Promise<void> {
    const { store, files } = this;
    const count = await deleteOrphanedOutputs(store.read, files, new Date());
    if (count > 0) this.log.warn({ files: count }, "orphaned files deleted");
  }
}
