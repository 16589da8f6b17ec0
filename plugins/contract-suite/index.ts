// The requirements for every platform, e-signature provider and delivery method, as checks for any test runner. They run
// against the plugin's server, real or fake, through a proxy that breaks, stalls and replaces what passes. Authors import it as
// `platen/contract-suite`.
import { deliveryContractChecks } from "./delivery-checks.js";
import { DeliverySession, type DeliverySubject } from "./delivery-session.js";
import { esignChecks } from "./esign-checks.js";
import { EsignSession, type EsignSubject } from "./esign-session.js";
import {
  faultChecks,
  manyChecks,
  readingChecks,
  writingChecks,
} from "./platform-checks.js";
import {
  type ContractSubject,
  PlatformSession,
  type CellLock,
  createCellLock,
} from "./platform-session.js";

export type {
  DeliveredFile,
  DeliverySubject,
  StartedReceiver,
} from "./delivery-session.js";
export type {
  EsignSubject,
  SignerAct,
  StartedProvider,
} from "./esign-session.js";
export type { Addresses } from "./fault-proxy.js";
export type {
  ContractSubject,
  Fixture,
  KnownAttachments,
  KnownLinks,
  KnownSelection,
  StartedServer,
  CellLock,
} from "./platform-session.js";

/** One requirement of the contract, to pass to any test runner. `run` rejects with an error that says what is wrong. */
export interface ContractCheck {
  title: string;
  run: () => Promise<void>;
}

export interface ContractSuite {
  /** To be run in this order, one at a time: they share the server. */
  checks: readonly ContractCheck[];
  /** Stops the server and the proxies, if a check has started them. */
  close: () => Promise<void>;
}

export interface ContractSuiteOptions {
  /** How calls on one cell wait for each other; by default as in the host. */
  lock?: CellLock;
}

/** The checks that a platform plugin must pass against a server, without those of capabilities that it does not have. */
export function contractSuite<C>(
  subject: ContractSubject<C>,
  { lock = createCellLock() }: ContractSuiteOptions = {},
): ContractSuite {
  const checks = [
    ...readingChecks,
    ...writingChecks,
    ...manyChecks,
    ...faultChecks,
  ];
  return createSuite(subject.plugin, checks, () =>
    PlatformSession.start(subject, lock),
  );
}

/** The checks that an e-signature provider must pass against a server, without those of capabilities that it does not have. */
export function esignContractSuite<C>(subject: EsignSubject<C>): ContractSuite {
  return createSuite(subject.plugin, esignChecks, () =>
    EsignSession.start(subject),
  );
}

/** The checks that a delivery plugin must pass against a server, without those of capabilities that it does not have. */
export function deliveryContractSuite<C>(
  subject: DeliverySubject<C>,
): ContractSuite {
  return createSuite(subject.plugin, deliveryContractChecks, () =>
    DeliverySession.start(subject),
  );
}

interface SuiteCheck<Plugin, Session> {
  title: string;
  appliesTo?(plugin: Plugin): boolean;
  run(session: Session): Promise<void>;
}

function createSuite<Plugin, Session extends { close(): Promise<void> }>(
  plugin: Plugin,
  checks: readonly SuiteCheck<Plugin, Session>[],
  start: () => Promise<Session>,
): ContractSuite {
  let session: Promise<Session> | undefined;
  return {
    checks: checks
      .filter((check) => check.appliesTo?.(plugin) ?? true)
      .map((check) => ({
        title: check.title,
        run: async () => check.run(await (session ??= start())),
      })),
    close: async () => (await session)?.close(),
  };
}
