import {
  BaseNotificationChannel,
  type JobNotification,
  toJobId,
  type NotificationChannel,
} from "agenda";

/**
 * Has Agenda look for jobs of a kind at once, instead of at its next interval. What it publishes goes through the
 * `remote` channel to all processes, when there is one; what is woken stays in this process.
 */
export class WakeChannel extends BaseNotificationChannel {
  readonly #kinds = new Set<string>();

  constructor(private readonly remote?: NotificationChannel) {
    super();
    remote?.subscribe((notification) => this.notifyHandlers(notification));
  }

  async connect(): Promise<void> {
    await this.remote?.connect();
    this.setState("connected");
  }

  async disconnect(): Promise<void> {
    this.handlers.clear();
    await this.remote?.disconnect();
    this.setState("disconnected");
  }

  async publish(notification: JobNotification): Promise<void> {
    if (this.remote) await this.remote.publish(notification);
    else await this.notifyHandlers(notification);
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
      void this.notifyHandlers({
        jobId: toJobId(jobName),
        jobName,
        nextRunAt: null,
        priority: 0,
        timestamp: new Date(),
      });
  }
}
