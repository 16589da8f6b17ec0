import { SIGNING } from "../documents/tokens.js";
import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG, METRICS } from "../lib/tokens.js";
import { STORE } from "../storage/database/tokens.js";
import {
  RequestEnder,
  SignatureNotices,
  Signatures,
  SignatureWorker,
  registerSignatureMetrics,
  SigningService,
} from "./index.js";
import * as t from "./tokens.js";

export function registerSignatures(container: DependencyContainer): void {
  registerFactory(container, SIGNING, (c) => {
    registerSignatureMetrics(c.resolve(METRICS), c.resolve(STORE));
    return c.resolve(SigningService);
  });
  registerClass(container, t.SIGNATURES, Signatures);
  registerClass(container, t.SIGNATURE_NOTICES, SignatureNotices);
  registerClass(container, t.SIGNATURE_WORKER, SignatureWorker);
  registerClass(container, t.REQUEST_ENDER, RequestEnder);
  registerFactory(
    container,
    t.SIGNATURE_WORKER_OPTIONS,
    (c) => c.resolve(CONFIG).signatures,
  );
}
