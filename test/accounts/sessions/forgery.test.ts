import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { readError } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

describe("a request with a session cookie that changes something", () => {
  const service = useService();
  let visitor: TestVisitor;
  let templateId: string;
  before(async () => {
    visitor = await newVisitor(service);
    templateId = await publish(service.store, visitor);
  });
  const change = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/templates/${templateId}`, {
      method: "PATCH",
      headers: {
        cookie: visitor.cookie,
        "content-type": "application/json",
        ...headers,
      },
      body: '{ "isFavorite": true }',
    });
  const ours = { "x-platen-app": "studio" };

  it("is accepted from the service's own page", async () => {
    for (const proof of [
      { "sec-fetch-site": "same-origin" },
      { origin: service.url },
      { "sec-fetch-site": "same-origin", origin: "null" },
      {},
    ])
      expect((await change({ ...ours, ...proof })).status).to.equal(200);
  });

  it("is rejected from another site, whatever its headers claim", async () => {
    for (const proof of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { "sec-fetch-site": "cross-site", origin: service.url },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${service.url}.evil.example` },
    ]) {
      const response = await change({ ...ours, ...proof });
      expect(response.status, JSON.stringify(proof)).to.equal(409);
      expect(await readError(response)).to.contain("another site");
    }
  });

  it("is rejected without the header that only the service's scripts can send", async () => {
    const response = await change({ "sec-fetch-site": "same-origin" });
    expect(response.status).to.equal(409);
    expect(await readError(response)).to.contain("x-platen-app");
  });

  it("needs neither with an API key, which no page sends by itself", async () => {
    const made = await visitor.send("POST", "/studio/api/keys", {
      name: "Shop",
      scopes: ["templates:write"],
    });
    const { key } = z.object({ key: z.string() }).parse(await made.json());
    const response = await change({ "x-api-key": key, cookie: "" });
    expect(response.status).to.equal(200);
  });

  it("cannot sign in a user from another site either", async () => {
    const response = await fetch(`${service.url}/studio/sign-in/x`, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(response.status).to.equal(409);
  });
});
