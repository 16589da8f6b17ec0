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
