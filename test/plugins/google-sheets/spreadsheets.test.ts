import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { createGoogleSheetsPlugin } from "../../../plugins/google-sheets/plugin.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import { googleHost } from "./google-setup.js";

const user = "anna@example.com";

describe("the spreadsheets of a user", () => {
  let fake: FakeGoogle;
  before(async () => {
    fake = await FakeGoogle.start();
  });
  after(() => fake.close());

  it("are listed beyond one page, without those of other users", async () => {
    for (let at = 0; at < 130; at += 1)
      fake.addSpreadsheet(`Sheet ${at}`, [user], {});
    fake.addSpreadsheet("Foreign", ["bo@example.com"], {});
    const host = googleHost({
      clientId: "client",
      clientSecret: "very-secret",
      refreshToken: fake.accounts.addUser(user),
      endpointUrl: fake.url,
    });
    const plugin = createGoogleSheetsPlugin(3000);
    const bases = await host.call(async (context) =>
      plugin.listBases?.(context),
    );
    expect(bases).to.have.length(130);
    expect(bases?.[129]?.name).to.equal("Sheet 129");
  });
});

describe("the test of a connection with a refresh token", () => {
  let fake: FakeGoogle;
  before(async () => {
    fake = await FakeGoogle.start();
    fake.addSpreadsheet("Sales", [user], {});
  });
  after(() => fake.close());

  const check = (...scopes: string[]) =>
    googleHost({
      clientId: "client",
      clientSecret: "very-secret",
      refreshToken: fake.accounts.addUser(user, scopes),
      endpointUrl: fake.url,
    }).check();

  it("names what the token may not do, and the scope that it lacks", async () => {
    const { account, warnings = [] } = await check(
      "spreadsheets.readonly",
      "drive.readonly",
    );
    expect(account).to.equal(user);
    expect(warnings).to.have.lengthOf(2);
    expect(warnings[0])
      .to.contain("cells")
      .and.contain("https://www.googleapis.com/auth/spreadsheets.");
    expect(warnings[1])
      .to.contain("Drive")
      .and.contain("https://www.googleapis.com/auth/drive.")
      .and.contain("Continue with Google");
  });

  it("finds nothing missing where one scope includes another", async () => {
    expect((await check("drive")).warnings).to.deep.equal([]);
  });

  it("names the missing scope when nothing can be read without it", async () => {
    const rejected: unknown = await check("spreadsheets").catch(
      (error: unknown) => error,
    );
    expect(rejected).to.include({ code: "forbidden" });
    expect(rejected)
      .property("message")
      .to.contain("https://www.googleapis.com/auth/drive.")
      .and.contain("Continue with Google");
  });
});
