import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type CellLock,
  type ContractSuiteOptions,
  contractSuite,
} from "../../../plugins/contract-suite/index.js";
import type { Mistakes } from "./crate-plugin.js";
import { crateSubject } from "./crate-subject.js";

/** What the check of this title finds fault with; null when nothing. */
async function complaint(
  title: string,
  mistakes: Mistakes,
  options: ContractSuiteOptions = {},
): Promise<string | null> {
  const { checks, close } = contractSuite(crateSubject(mistakes), options);
  const check = checks.find((one) => one.title === title);
  if (!check) throw new Error(`no check is called "${title}"`);
  try {
    await check.run();
    return null;
  } catch (error) {
    return String(error);
  } finally {
    await close();
  }
}

const seen: [keyof Mistakes, string][] = [
  ["trustsInlinedLinks", "links are complete beyond 25 and 100"],
  [
    "takesHtmlForNothing",
    "HTML with 200 at any request of a read is unavailable",
  ],
  ["asksPastItsTurn", "every request waits for its turn"],
  ["hidesMissing", "ids that the table has not are reported as missing"],
  ["replacesAlways", "append keeps what the cell holds"],
  [
    "writesAnyField",
    "writing to a field that takes no file is refused, and changes nothing",
  ],
  ["tellsItsToken", "a 503 at any request of a read is unavailable"],
];

const lock: CellLock = (_cell, work) => work();

describe("the contract suite finds", () => {
  for (const [mistake, title] of seen)
    it(`a plugin that ${mistake}`, async () => {
      expect(await complaint(title, { [mistake]: true })).to.not.equal(null);
    });

  it("a host without a lock", async () => {
    const title = "parallel write-backs to one cell lose nothing";
    expect(await complaint(title, {}, { lock })).to.not.equal(null);
  });
});
