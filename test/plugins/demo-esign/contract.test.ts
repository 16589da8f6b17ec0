import { after, describe, it } from "mocha";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import { demoEsignPlugin } from "../../../plugins/demo-esign/plugin.js";
import { createSubject } from "./demo-subject.js";

describe("the provider demo-esign", () => {
  const { checks, close } = esignContractSuite(createSubject(demoEsignPlugin));
  after(close);
  for (const { title, run } of checks) it(title, run);
});
