import { expect } from "chai";
import { describe, it } from "mocha";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { sqlPlugin } from "../../../plugins/sql/plugin.js";
import { eachEngine, shopFor } from "./shop.js";

describe("a connection to a database that offers no encryption", () => {
  eachEngine((open) => {
    const shop = shopFor(open);

    it("is encrypted unless the settings disable it", async () => {
      const opened = await shop();
      if (opened.address === null) return;
      const settings = { ...opened.credentials(), tls: true };
      const host = new SuiteHost(sqlPlugin, settings);
      const answer = await host.check().catch(String);
      expect(answer).to.match(/^PlatformError/);
    });
  });
});
