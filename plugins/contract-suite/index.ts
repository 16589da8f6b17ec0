// What every platform and every e-signature provider must do, as checks for any test runner: against its server, real or faithful, through a
// proxy that breaks, stalls and spoils what passes. Authors import it as `platen/contract-suite`.
export type { CellLock } from "./cell-lock.js";
export {
  type ContractCheck,
  contractSuite,
  type ContractSuite,
  type ContractSuiteOptions,
} from "./contract-suite.js";
export type {
  Addresses,
  ContractSubject,
  Fixture,
  KnownAttachments,
  KnownLinks,
  StartedServer,
} from "./subject.js";
export type {
  EsignSubject,
  SignerAct,
  StartedProvider,
} from "./esign/esign-subject.js";
export { esignContractSuite } from "./esign/esign-suite.js";
