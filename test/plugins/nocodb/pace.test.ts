import { expect } from "chai";
import { describe, it } from "mocha";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";

function paceAt(url: string): number | null | undefined {
  return nocodbPlugin.rate.perSecond?.({ url, token: "t" });
}

describe("requests to NocoDB", () => {
  it("keep below what NocoDB Cloud allows", () => {
    expect(paceAt("https://app.nocodb.com")).to.equal(4.5);
  });

  it("are not slowed for a server of one's own", () => {
    expect(paceAt("https://tables.example.com")).to.equal(null);
  });
});
