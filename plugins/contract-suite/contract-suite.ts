import { type CellLock, cellLocks } from "./cell-lock.js";
import type { SessionCheck } from "./check.js";
import { faultChecks } from "./checks/faults.js";
import { linkChecks } from "./checks/links.js";
import { pacingChecks } from "./checks/pacing.js";
import { parallelChecks } from "./checks/parallel.js";
import { readingChecks } from "./checks/reading.js";
import { shapeChecks } from "./checks/shape.js";
import { writingChecks } from "./checks/writing.js";
import { Session } from "./session.js";
import type { ContractSubject } from "./subject.js";

/** One promise of the contract, to be handed to any test runner. `run` rejects with what is wrong. */
export interface ContractCheck {
  title: string;
  run: () => Promise<void>;
}

export interface ContractSuite {
  /** In their order, one at a time: they share the server. */
  checks: readonly ContractCheck[];
  /** Stops the server and the proxies, when a check has started them. */
  close: () => Promise<void>;
}

export interface ContractSuiteOptions {
  /** How calls on one cell wait for each other; as the host does when left out. */
  lock?: CellLock;
}

const allChecks: readonly SessionCheck[] = [
  ...shapeChecks,
  ...readingChecks,
  ...linkChecks,
  ...writingChecks,
  ...parallelChecks,
  ...pacingChecks,
  ...faultChecks,
];

/** The checks that a platform plugin must pass against a server; those of abilities that it does not claim are left out. */
export function contractSuite<C>(
  subject: ContractSubject<C>,
  { lock = cellLocks() }: ContractSuiteOptions = {},
): ContractSuite {
  let session: Promise<Session<C>> | undefined;
  const started = () => (session ??= Session.start(subject, lock));
  return {
    checks: allChecks
      .filter((check) => check.appliesTo?.(subject.plugin) ?? true)
      .map((check) => ({
        title: check.title,
        run: async () => check.run(await started()),
      })),
    close: async () => (await session)?.close(),
  };
}
