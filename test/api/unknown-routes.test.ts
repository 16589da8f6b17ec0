import { expect } from "chai";
import { describe, it } from "mocha";
import { readError } from "../support/caller.js";
import { useService } from "../support/service.js";

describe("a request without a route", () => {
  const service = useService();
  const ask = (method: string, path: string) =>
    fetch(service.url + path, { method });

  for (const [method, path] of [
    ["GET", "/api"],
    ["GET", "/api/nothing"],
    ["POST", "/api/template"],
    ["GET", "/files/a"],
    ["GET", "/%ff"],
    ["GET", "/docs/../../package.json"],
  ] as const)
    it(`returns 404 with an error for ${method} ${path}`, async () => {
      const response = await ask(method, path);
      expect(response.status).to.equal(404);
      expect(await readError(response)).to.contain("/docs");
    });

  for (const [method, path, allowed] of [
    ["DELETE", "/api/templates", "HEAD, GET, POST"],
    ["GET", "/api/export", "POST"],
    ["PUT", "/api/documents/doc_a", "HEAD, GET"],
  ] as const)
    it(`returns 405 with ${allowed} for ${method} ${path}`, async () => {
      const response = await ask(method, path);
      expect(response.status).to.equal(405);
      expect(response.headers.get("allow")).to.equal(allowed);
      expect(await readError(response)).to.contain(method);
    });
});
