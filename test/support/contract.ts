import type { ContractSuite } from "../../plugins/contract-suite/index.js";

/** Each check of a contract suite is a test of the suite that calls this. */
export function testContract({ checks, close }: ContractSuite): void {
  after(close);
  for (const { title, run } of checks) it(title, run);
}
