import { after, describe, it } from "mocha";
import { esignContractSuite } from "../../../plugins/contract-suite/index.js";
import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { startDocuseal } from "./docuseal-setup.js";

describe("the provider docuseal", () => {
  const subject = { plugin: docusealPlugin, start: startDocuseal };
  const { checks, close } = esignContractSuite(subject);
  after(close);
  for (const { title, run } of checks) it(title, run);
});
