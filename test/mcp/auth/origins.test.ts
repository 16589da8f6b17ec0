import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { postAs } from "../../support/tool-client.js";

const mcp = {
  ...parseConfig({}).mcp,
  url: "https://tools.example.com/assist",
  hosts: ["inner.example.com"],
};

describe("the tool server's allowed hosts and origins", () => {
  const service = useService({ config: { mcp } });
  let key = "";

  before(async () => ({ key } = await newCaller(service)));

  const statusAs = async (headers: Record<string, string>) => {
    const { status } = await postAs(service.url, {
      "x-api-key": key,
      ...headers,
    });
    return status;
  };

  for (const host of [
    "tools.example.com",
    "inner.example.com:8443",
    "localhost:3000",
    "[::1]:3000",
  ])
    it(`accept a request for ${host}`, async () => {
      expect(await statusAs({ host })).to.equal(200);
    });

  for (const host of ["evil.example.com", "tools.example.com.evil.net"])
    it(`reject a request for "${host}"`, async () => {
      expect(await statusAs({ host })).to.equal(403);
    });

  for (const origin of ["https://tools.example.com", "http://localhost:6274"])
    it(`accept a page of ${origin}`, async () => {
      expect(await statusAs({ origin })).to.equal(200);
    });

  for (const origin of ["https://evil.example.com", "null", "x"])
    it(`reject a page of ${origin}, with or without a key`, async () => {
      expect(await statusAs({ origin })).to.equal(403);
      expect(await statusAs({ origin, "x-api-key": "" })).to.equal(403);
    });

  it("are listed in the rejection, without the one that was sent", async () => {
    const { body } = await postAs(service.url, { host: "evil.example.com" });
    expect(JSON.parse(body).error).to.contain("PLATEN_MCP_HOSTS");
    expect(body).not.to.contain("evil");
  });
});
