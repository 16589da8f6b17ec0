import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type CellLock,
  type ContractSuiteOptions,
  contractSuite,
} from "../../../plugins/contract-suite/index.js";
import { type Mistakes, crateSubject } from "./crate-plugin.js";

/** The error of the check with this title; null when it passes. */
async function runCheck(
  title: string,
  mistakes: Mistakes,
  options: ContractSuiteOptions = {},
): Promise<string | null> {
  const { checks, close } = contractSuite(crateSubject(mistakes), options);
  const check = checks.find((one) => one.title === title);
  if (!check) throw new Error(`no check has the title "${title}"`);
  try {
    await check.run();
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await close();
  }
}

const found: [keyof Mistakes, string][] = [
  ["trustsInlinedLinks", "links are complete beyond 25 and 100"],
  [
    "acceptsHtml",
    "HTML with status 200 at any request of a read is unavailable",
  ],
  ["bypassesRateLimit", "every request is rate-limited"],
  ["hidesMissing", "ids without a row are reported as missing"],
  ["alwaysReplaces", "append keeps the files of the cell"],
  [
    "writesAnyField",
    "writing to a field that does not accept files changes nothing",
  ],
  ["leaksToken", "a 503 at any request of a read is unavailable"],
  [
    "replacesMany",
    "many records get their files in order, and keep those that they had if these are to be added",
  ],
  [
    "addsManyInDisorder",
    "many records get their files in order, and keep those that they had if these are to be added",
  ],
  [
    "returnsUnwritten",
    "a record that does not exist does not keep others from their files",
  ],
  [
    "deniesLostWrites",
    "many records that are repeated after a lost reply get each file once",
  ],
];

const lock: CellLock = (_cell, work) => work();

describe("the contract suite detects", () => {
  for (const [mistake, title] of found)
    it(`a plugin that ${mistake}`, async () => {
      expect(await runCheck(title, { [mistake]: true })).to.not.equal(null);
    });

  it("a host without a lock on cells", async () => {
    const title = "parallel writes to one cell keep all files";
    expect(await runCheck(title, {}, { lock })).to.not.equal(null);
  });
});
