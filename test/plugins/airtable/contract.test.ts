import { after, describe, it } from "mocha";
import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { airtableSubject } from "./airtable-setup.js";

describe("the plugin airtable", () => {
  const { checks, close } = contractSuite(airtableSubject);
  after(close);
  for (const { title, run } of checks) it(title, run);
});
