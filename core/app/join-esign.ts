import type { DependencyContainer } from "tsyringe";
import { recordAudit } from "../accounts/index.js";
import {
  type EsignTimes,
  type EsignWorkParts,
  SigningService,
  SignatureNotices,
  Signatures,
  registerSignatureMetrics,
} from "../signatures/index.js";
import { make } from "./make.js";
import * as t from "./tokens.js";

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

/** Documents on their way to being signed; who works on them is told in start-work.ts. */
export function joinEsign(container: DependencyContainer): void {
  make(container, t.ESIGN_PARTS, partsOf);
  make(
    container,
    t.SIGNING,
    (c) => new SigningService(c.resolve(t.ESIGN_PARTS)),
  );
  make(
    container,
    t.SIGNATURES,
    (c) => new Signatures({ ...endPartsOf(c), noteAct: recordAudit }),
  );
  make(
    container,
    t.SIGNATURE_NOTICES,
    (c) => new SignatureNotices(c.resolve(t.ESIGN_PARTS)),
  );
}

/** What does not print: commands have no more than this. */
function endPartsOf(c: DependencyContainer) {
  return {
    store: c.resolve(t.STORE),
    queue: c.resolve(t.QUEUE),
    connections: c.resolve(t.CONNECTIONS),
    events: c.resolve(t.EVENTS).dispatch,
    sink: c.resolve(t.RECORD_SOURCE),
    now: () => new Date(),
  };
}

function partsOf(c: DependencyContainer): EsignWorkParts {
  const parts = endPartsOf(c);
  registerSignatureMetrics(c.resolve(t.METRICS), parts.store, parts.now);
  return {
    ...parts,
    files: c.resolve(t.FILE_STORE),
    outputs: c.resolve(t.OUTPUT_STORE),
    times: timesOf(c),
    leaseMs: c.resolve(t.CONFIG).batch.leaseMs,
    log: c.resolve(t.LOG),
  };
}

function timesOf(c: DependencyContainer): EsignTimes {
  const { signatures } = c.resolve(t.CONFIG);
  const { timeoutMs, retryDelaysMs, findWaitsMs } = signatures;
  const { pollMs, retentionMs } = signatures;
  return {
    startWaitMs: 15 * secondMs,
    startTimeoutMs: timeoutMs,
    startDelaysMs: retryDelaysMs,
    findWaitsMs,
    giveUpMs: 3 * dayMs,
    pollMs,
    retentionMs,
  };
}
