import type { Agenda, Job } from "agenda";
import type { Station } from "./carrier.js";

export interface KindOptions {
  lockLifetime: number;
}

/** Has Agenda run a station's kind. It locks no more jobs than may start: by default it would lock the whole backlog. */
export function defineKind(
  agenda: Agenda,
  { kind, concurrency }: Station,
  options: KindOptions,
  run: (job: Job) => Promise<void>,
): void {
  const limits = { concurrency, lockLimit: concurrency, ...options };
  // It takes functions with a callback as well, which the linter takes this for.
  // oxlint-disable-next-line typescript/no-misused-promises
  agenda.define(kind, (job: Job) => run(job), limits);
}
