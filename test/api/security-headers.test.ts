import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";

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
});
