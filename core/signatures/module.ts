import { OUTPUT_STORE, SIGNING } from "../documents/tokens.js";
import { CONNECTIONS } from "../integrations/connections/tokens.js";
import { type DependencyContainer, registerFactory } from "../lib/injection.js";
import { CONFIG, FILE_STORE, LOG, METRICS } from "../lib/tokens.js";
import { QUEUE } from "../queue/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import { EVENTS } from "../webhooks/tokens.js";
import {
  type SignatureTimes,
  registerSignatureMetrics,
  SignatureNotices,
  Signatures,
  SignatureWorker,
  SigningService,
} from "./index.js";
import * as t from "./tokens.js";

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;

export function registerSignatures(container: DependencyContainer): void {
  registerFactory(container, t.SIGNATURE_PORTS, (c) => {
    const ports = {
      ...getEndPorts(c),
      files: c.resolve(FILE_STORE),
      outputs: c.resolve(OUTPUT_STORE),
      times: getTimes(c),
      leaseMs: c.resolve(CONFIG).batch.leaseMs,
      log: c.resolve(LOG),
    };
    registerSignatureMetrics(c.resolve(METRICS), ports.store, ports.now);
    return ports;
  });
  registerFactory(
    container,
    SIGNING,
    (c) => new SigningService(c.resolve(t.SIGNATURE_PORTS)),
  );
  registerFactory(
    container,
    t.SIGNATURES,
    (c) => new Signatures(getEndPorts(c)),
  );
  registerFactory(
    container,
    t.SIGNATURE_NOTICES,
    (c) => new SignatureNotices(c.resolve(t.SIGNATURE_PORTS)),
  );
  registerFactory(
    container,
    t.SIGNATURE_WORKER,
    (c) => new SignatureWorker(c.resolve(t.SIGNATURE_PORTS)),
  );
}

/** Without what prints, so that commands load no more than this. */
function getEndPorts(c: DependencyContainer) {
  return {
    store: c.resolve(STORE),
    queue: c.resolve(QUEUE),
    connections: c.resolve(CONNECTIONS),
    events: c.resolve(EVENTS).dispatch,
    sink: c.resolve(t.SIGNED_FILES_SINK),
    now: () => new Date(),
  };
}

function getTimes(c: DependencyContainer): SignatureTimes {
  const { signatures } = c.resolve(CONFIG);
  return {
    startWaitMs: 15 * secondMs,
    startTimeoutMs: signatures.timeoutMs,
    startDelaysMs: signatures.retryDelaysMs,
    findWaitsMs: signatures.findWaitsMs,
    giveUpMs: 3 * dayMs,
    pollMs: signatures.pollMs,
    retentionMs: signatures.retentionMs,
  };
}
