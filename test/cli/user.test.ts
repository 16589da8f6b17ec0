import { expect } from "chai";
import { before, describe, it } from "mocha";
import { cliOn, createOrganization, json } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

describe("platen user", () => {
  const cli = cliOn(suiteFolder());
  const email = "ada@example.com";
  let org = "";
  before(async () => {
    org = await createOrganization(cli);
    const person = ["--org", org, "--name", "Ada", "--email", email];
    await json(cli, "user", "add", ...person);
  });
  const list = async () =>
    JSON.parse((await cli("user", "list", "--org", org, "--json")).stdout);

  it("lists users without the organization's own user", async () => {
    const [ada, ...others] = await list();
    expect(ada).to.include({ email, name: "Ada", role: "editor" });
    expect(others).to.deep.equal([]);
  });

  it("makes a sign-in link", async () => {
    const { url, expiresAt } = await json(cli, "user", "login-link", email);
    expect(url).to.match(
      /^http:\/\/127\.0\.0\.1:3000\/studio\/sign-in\/[\w-]{43}$/,
    );
    const minutes = (Date.parse(expiresAt ?? "") - Date.now()) / 60_000;
    expect(minutes).to.be.within(10, 15);
  });

  it("rejects --mail without a mail server and for unknown addresses", async () => {
    const mail = await cli("user", "login-link", email, "--mail");
    expect(mail.code).to.not.equal(0);
    expect(mail.stderr).to.include("PLATEN_SMTP_URL");
    const stranger = await cli("user", "login-link", "eve@example.com");
    expect(stranger.stderr).to.include("no user eve@example.com");
  });

  it("changes a user's role and removes the user", async () => {
    await json(cli, "user", "role", email, "owner");
    expect((await list())[0]).to.include({ role: "owner" });
    const odd = await cli("user", "role", email, "king");
    expect(odd.stderr).to.include("owner");
    await json(cli, "user", "remove", email);
    expect(await list()).to.deep.equal([]);
  });
});
