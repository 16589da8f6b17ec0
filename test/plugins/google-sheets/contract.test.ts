import { after, describe, it } from "mocha";
import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { googleSubject } from "./google-setup.js";

describe("the plugin google-sheets", () => {
  const { checks, close } = contractSuite(googleSubject);
  after(close);
  for (const { title, run } of checks) it(title, run);
});
