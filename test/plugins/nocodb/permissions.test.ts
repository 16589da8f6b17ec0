import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { useNock } from "../../support/use-nock.js";
import { NocodbServer } from "./nocodb-server.js";

const checkAt = (url: string, token: string) =>
  new SuiteHost(nocodbPlugin, { url, token }).check();

describe("the roles of a NocoDB token's user", () => {
  const using = useNock();
  const url = "https://nocodb.invalid";

  it("decide which bases the connection test warns about", async () => {
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
    const { warnings = [] } = await checkAt(url, "token");
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0])
      .to.contain('"Base 0", "Base 1", "Base 2".')
      .and.contain("Members")
      .and.contain("Editor");
  });
});

if (NocodbServer.address())
  describe("the roles of a token's user on a real NocoDB", () => {
    it("are found by the connection test", async () => {
      const server = await NocodbServer.signIn();
      const base = await server.makeBase("Roles");
      const check = async (role: string) =>
        checkAt(server.url, await server.makeMemberToken(base, role));
      for (const role of ["viewer", "commenter"])
        expect((await check(role)).warnings?.join()).to.contain('"Roles"');
      for (const role of ["editor", "creator", "owner"])
        expect(await check(role)).to.deep.equal({ account: "Roles" });
      expect((await check("no-access")).warnings?.join()).to.contain("no base");
    });
  });
