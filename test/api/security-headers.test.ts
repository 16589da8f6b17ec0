import { expect } from "chai";
import { before, describe, it } from "mocha";
import { freePort } from "../support/free-port.js";
import { startServiceProcess } from "../support/service-process.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

describe("every response", () => {
  const service = useService();

  for (const path of ["/api/documents", "/health/live", "/nothing", "/docs"])
    it(`to ${path} has nosniff, a content security policy and no referrer`, async () => {
      const { headers } = await fetch(service.url + path);
      expect(headers.get("x-content-type-options")).to.equal("nosniff");
      expect(headers.get("referrer-policy")).to.equal("no-referrer");
      expect(headers.get("content-security-policy")).to.contain(
        "default-src 'none'",
      );
      expect(headers.get("x-powered-by")).to.equal(null);
    });

  it("does not require https of a service at an http address", async () => {
    const { headers } = await fetch(`${service.url}/health/live`);
    expect(headers.get("strict-transport-security")).to.equal(null);
  });
});

describe("every response of a service at an https address", () => {
  const data = suiteFolder();
  let url = "";
  before(async () => {
    const port = String(await freePort());
    url = `http://127.0.0.1:${port}`;
    await startServiceProcess({
      PLATEN_DATA: data,
      PLATEN_PORT: port,
      PLATEN_BASE_URL: "https://documents.example.com/platen",
    }).url;
  });

  for (const path of [
    "/api/documents",
    "/docs",
    "/studio/",
    "/mcp",
    "/nothing",
  ])
    it(`to ${path} tells browsers to use https for a year, on this host alone`, async () => {
      const { headers } = await fetch(url + path, { redirect: "manual" });
      expect(headers.get("strict-transport-security")).to.equal(
        "max-age=31536000",
      );
    });
});
