import { expect } from "chai";
import { describe, it } from "mocha";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";

function paceAt(url: string): number | null | undefined {
  return nocodbPlugin.rate.perSecond?.({ url, token: "t" });
}

describe("the rate of requests to NocoDB", () => {
  it("stays below the limit of NocoDB Cloud", () => {
    expect(paceAt("https://app.nocodb.com")).to.equal(4.5);
  });

  it("is not limited for a self-hosted server", () => {
    expect(paceAt("https://tables.example.com")).to.equal(null);
  });
});
