import { BaseNotificationChannel, type JobNotification, toJobId } from "agenda";

/** Has Agenda look for jobs of a kind at once, instead of at its next interval. Reaches this process alone. */
export class WakeChannel extends BaseNotificationChannel {
  readonly #kinds = new Set<string>();

  async connect(): Promise<void> {
    this.setState("connected");
  }

  async disconnect(): Promise<void> {
    this.handlers.clear();
    this.setState("disconnected");
  }

  async publish(notification: JobNotification): Promise<void> {
    await this.notifyHandlers(notification);
  }

  /** Many calls in one turn of the event loop are one. */
  wake(kind: string): void {
    if (this.#kinds.size === 0) setImmediate(() => this.#wakeAll());
    this.#kinds.add(kind);
  }

  #wakeAll(): void {
    const kinds = [...this.#kinds];
    this.#kinds.clear();
    for (const jobName of kinds)
      void this.publish({
        jobId: toJobId(jobName),
        jobName,
        nextRunAt: null,
        priority: 0,
        timestamp: new Date(),
      });
  }
}
