import {
  type JobId,
  type JobParameters,
  type JobRepository,
  type JobsResult,
  toJobId,
} from "agenda";
import { PlatenError } from "../../plugin-api/index.js";
import type { Claim } from "../table/claim.js";
import type { Station } from "./carrier.js";

/** Agenda measures leases by the local clock, and counts them from here: so it never sees one end. Ours do the work. */
const farAhead = new Date(Date.UTC(9999, 0));

/**
 * What Agenda sees of the table: jobs that this node holds already. Their ends are written by whoever runs them, with
 * the token of the claim, so that what Agenda would save by itself, without a token, is not needed and not kept.
 */
export class ClaimRepository implements JobRepository {
  readonly #stations = new Map<string, Station>();
  readonly #handedOut = new Map<string, Claim>();

  /** Adds a kind to hand jobs out of. */
  serve(station: Station): void {
    this.#stations.set(station.kind, station);
  }

  /** The claim behind one of Agenda's jobs; once. */
  take(id: JobId | undefined): Claim {
    const claim = this.#handedOut.get(id ?? "");
    if (!claim)
      throw new PlatenError("internal", "Agenda ran a job that nobody holds.");
    this.#handedOut.delete(id ?? "");
    return claim;
  }

  async connect(): Promise<void> {}

  async getNextJobToRun(kind: string): Promise<JobParameters | undefined> {
    const claim = await this.#stations.get(kind)?.next();
    if (!claim) return undefined;
    const id = toJobId(`${claim.rowId} ${claim.token}`);
    this.#handedOut.set(id, claim);
    return {
      _id: id,
      name: kind,
      priority: 0,
      type: "normal",
      nextRunAt: null,
      lockedAt: farAhead,
      data: undefined,
    };
  }

  /** Agenda hands back what it cannot start now. */
  async unlockJob({ _id }: JobParameters): Promise<void> {
    const claim = this.take(_id);
    this.#stations.get(claim.kind)?.putBack(claim);
  }

  /** Called when it stops: the leases give back all that is held. */
  async unlockJobs(): Promise<void> {}

  async saveJobState(): Promise<void> {}

  async getQueueSize(): Promise<number> {
    return this.#handedOut.size;
  }

  queryJobs = (): Promise<JobsResult> => refuse("queryJobs");
  getJobsOverview = (): Promise<never> => refuse("getJobsOverview");
  getDistinctJobNames = (): Promise<never> => refuse("getDistinctJobNames");
  getJobById = (): Promise<never> => refuse("getJobById");
  removeJobs = (): Promise<never> => refuse("removeJobs");
  saveJob = (): Promise<never> => refuse("saveJob");
  lockJob = (): Promise<never> => refuse("lockJob");
  disableJobs = (): Promise<never> => refuse("disableJobs");
  enableJobs = (): Promise<never> => refuse("enableJobs");
  purgeAllJobs = (): Promise<never> => refuse("purgeAllJobs");
}

/** Jobs are written by the queue alone, inside the transaction of the rows that they wake. */
function refuse(method: string): Promise<never> {
  return Promise.reject(
    new PlatenError(
      "internal",
      `The queue's backend does not offer ${method}: use Queue.enqueue and Queue.stats.`,
    ),
  );
}
