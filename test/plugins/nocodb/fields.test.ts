import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { useNock } from "../../support/use-nock.js";

describe("the number fields of NocoDB", () => {
  const using = useNock();
  const url = "https://nocodb.invalid";

  it("have the format of currencies with a known code, and of percentages that are no fractions", async () => {
    const fields = [
      { type: "Number" },
      { type: "Currency", options: { locale: "de-DE", code: "EUR" } },
      { type: "Currency", options: { locale: "en-US" } },
      { type: "Percent", options: { show_as_progress: true } },
    ].map((one, at) => ({ ...one, id: `c${at}`, title: `Field ${at}` }));
    const table = { id: "m1", title: "Prices" };
    const path = "/api/v3/meta/bases/p1/tables";
    using
      .nock(url)
      .get(path)
      .reply(200, { list: [table] })
      .get(`${path}/m1`)
      .reply(200, { ...table, fields });
    const host = new SuiteHost(nocodbPlugin, { url, token: "t" });
    const [found] = await host.describe("p1");
    expect(
      found?.fields.map(({ format, currency }) => [format, currency]),
    ).to.deep.equal([
      [undefined, undefined],
      ["currency", "EUR"],
      [undefined, undefined],
      ["wholePercent", undefined],
    ]);
  });
});
