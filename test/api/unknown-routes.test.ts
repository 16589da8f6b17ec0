import { expect } from "chai";
import { describe, it } from "mocha";
import { errorOf } from "../support/caller.js";
import { useService } from "../support/service.js";

describe("a request that no route answers", () => {
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
    it(`${method} ${path} is 404 with an error`, async () => {
      const response = await ask(method, path);
      expect(response.status).to.equal(404);
      expect(await errorOf(response)).to.contain("/docs");
    });

  for (const [method, path, allowed] of [
    ["DELETE", "/api/templates", "HEAD, GET, POST"],
    ["GET", "/api/export", "POST"],
    ["PUT", "/api/documents/doc_a", "HEAD, GET"],
  ] as const)
    it(`${method} ${path} is 405 and names ${allowed}`, async () => {
      const response = await ask(method, path);
      expect(response.status).to.equal(405);
      expect(response.headers.get("allow")).to.equal(allowed);
      expect(await errorOf(response)).to.contain(method);
    });
});
