import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { useNock } from "../../support/use-nock.js";
import { eachNocodb } from "./nocodb-server.js";

const hostAt = (url: string, token = "t") =>
  new SuiteHost(nocodbPlugin, { url, token });

describe("the rate of requests to NocoDB", () => {
  for (const [url, pace] of [
    ["https://app.nocodb.com", 4.5],
    ["https://tables.example.com", null],
  ] as const)
    it(`is ${pace ?? "without a limit"} at ${url}`, () => {
      const credentials = { url, token: "t" };
      expect(nocodbPlugin.rate.perSecond?.(credentials)).to.equal(pace);
    });
});

describe("the test of a connection to NocoDB", () => {
  const using = useNock();
  const url = "https://nocodb.invalid";

  it("warns about the bases in which the token's user, or the workspace, may only read", async () => {
    const list = [
      { project_role: "viewer", workspace_role: "workspace-level-creator" },
      { project_role: "commenter" },
      { project_role: null, workspace_role: "workspace-level-viewer" },
      { project_role: "editor", workspace_role: "workspace-level-viewer" },
      { project_role: "owner" },
      { project_role: "newer-role" },
      {},
    ].map((roles, at) => ({ id: `p${at}`, title: `Base ${at}`, ...roles }));
    using.nock(url).get("/api/v2/meta/bases").reply(200, { list });
    const { warnings = [] } = await hostAt(url).check();
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0])
      .to.contain('"Base 0", "Base 1", "Base 2".')
      .and.contain("Members")
      .and.contain("Editor");
  });

  eachNocodb((open) => {
    it("finds the role of the token's user", async () => {
      const server = await open();
      const base = await server.makeBase("Roles");
      const check = async (role: string) =>
        hostAt(server.url, await server.makeMemberToken(base, role)).check();
      for (const role of ["viewer", "commenter"])
        expect((await check(role)).warnings?.join()).to.contain('"Roles"');
      for (const role of ["editor", "creator", "owner"])
        expect(await check(role)).to.deep.equal({ account: "Roles" });
      expect((await check("no-access")).warnings?.join()).to.contain("no base");
    });
  });
});

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
    const [found] = await hostAt(url).describe("p1");
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
