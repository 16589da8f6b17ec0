import type { ContractSuite } from "../contract-suite.js";
import { esignFaultChecks } from "./checks/faults.js";
import { esignShapeChecks } from "./checks/shape.js";
import { neverTwiceChecks } from "./checks/never-twice.js";
import { noticeChecks } from "./checks/notices.js";
import { signingChecks } from "./checks/signing.js";
import type { EsignCheck } from "./esign-check.js";
import { EsignSession } from "./esign-session.js";
import type { EsignSubject } from "./esign-subject.js";

const allChecks: readonly EsignCheck[] = [
  ...esignShapeChecks,
  ...signingChecks,
  ...neverTwiceChecks,
  ...esignFaultChecks,
  ...noticeChecks,
];

/** The checks that an e-signature provider must pass against a server; those of abilities that it does not claim are left out. */
export function esignContractSuite<C>(subject: EsignSubject<C>): ContractSuite {
  let session: Promise<EsignSession<C>> | undefined;
  const started = () => (session ??= EsignSession.start(subject));
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
