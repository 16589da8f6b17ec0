import { after, describe, it } from "mocha";
import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { crateSubject } from "./crate-plugin.js";

describe("the contract suite passes a correct plugin", () => {
  const { checks, close } = contractSuite(crateSubject());
  after(close);
  for (const { title, run } of checks) it(title, run);
});
