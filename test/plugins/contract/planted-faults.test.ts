import { expect } from "chai";
import { describe, it } from "mocha";
import {
  type CellLock,
  type ContractSuiteOptions,
  contractSuite,
} from "../../../plugins/contract-suite/index.js";
import type { RowPage } from "../../../core/plugin-api/index.js";
import { airtableSubject } from "../airtable/airtable-setup.js";
import { googleSubject } from "../google-sheets/google-setup.js";
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
  [
    "forgetsState",
    "the page for the consent gets the state, the challenge and the redirect URI",
  ],
  ["acceptsAnyCode", "exchangeCode rejects a code that was used with auth"],
  ["formatsTexts", "fields of money and of percentages contain numbers"],
  ["grantsUnknown", "authorization grants secrets of the credentials"],
];

const lock: CellLock = (_cell, work) => work();

describe("the contract suite detects", () => {
  for (const [mistake, title] of found)
    it(`a plugin that ${mistake}`, async () => {
      expect(await runCheck(title, { [mistake]: true })).to.not.equal(null);
    });

  it("a plugin that does not keep its webhook", async () => {
    const { plugin } = airtableSubject;
    const { changes } = plugin;
    if (!changes) throw new Error("the plugin has no changes");
    let calls = 0;
    const { checks, close } = contractSuite({
      start: () => airtableSubject.start(),
      plugin: {
        ...plugin,
        changes: {
          ...changes,
          // Another address each time, so that earlier webhooks are not found.
          subscribe: (context, scope, url, current) =>
            changes.subscribe(context, scope, `${url}?${calls++}`, current),
        },
      },
    });
    const check = checks.find((one) => one.title.startsWith("changes leaves"));
    const error: unknown = await check?.run().catch((cause: unknown) => cause);
    await close();
    expect(String(error)).to.contain("must keep the webhook");
  });

  const listing: [
    what: string,
    title: string,
    change: (page: RowPage) => RowPage,
  ][] = [
    [
      "lists rows in another order",
      "listRows lists the rows of a view or filter, each once, in order",
      ({ ids }) => ({ ids: ids.toReversed() }),
    ],
    [
      "never ends a list",
      "listRows lists the rows of a view or filter, each once, in order",
      ({ ids }) => ({ ids, next: "more" }),
    ],
    [
      "lists rows whose field has a file",
      "listRows lists a row with an empty field until it has a file",
      ({ ids }) => ({ ids: ["1", "2", "3", ...ids, "N4", "N5"] }),
    ],
  ];
  for (const [what, title, change] of listing)
    it(`a plugin that ${what}`, async () => {
      const { plugin } = googleSubject;
      const { checks, close } = contractSuite({
        start: () => googleSubject.start(),
        plugin: {
          ...plugin,
          listRows: async (...args) =>
            change((await plugin.listRows?.(...args)) ?? { ids: [] }),
        },
      });
      const check = checks.find((one) => one.title === title);
      const failure: unknown = await check
        ?.run()
        .catch((error: unknown) => error);
      await close();
      expect(failure).to.be.instanceOf(Error);
    });

  it("a host without a lock on cells", async () => {
    const title = "parallel writes to one cell keep all files";
    expect(await runCheck(title, {}, { lock })).to.not.equal(null);
  });
});
