import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { errorOf } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { newVisitor, type TestVisitor } from "../../support/studio.js";

describe("a request with a visitor's cookie that changes something", () => {
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

  it("passes when our own page sent it", async () => {
    for (const proof of [
      { "sec-fetch-site": "same-origin" },
      { origin: service.url },
      { "sec-fetch-site": "same-origin", origin: "null" },
      {},
    ])
      expect((await change({ ...ours, ...proof })).status).to.equal(200);
  });

  it("is refused when another page sent it, whatever it says", async () => {
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
      expect(await errorOf(response)).to.contain("another site");
    }
  });

  it("is refused without the header that only our scripts can send", async () => {
    const response = await change({ "sec-fetch-site": "same-origin" });
    expect(response.status).to.equal(409);
    expect(await errorOf(response)).to.contain("x-platen-app");
  });

  it("needs none of this with a key, which no page sends by itself", async () => {
    const made = await visitor.send("POST", "/studio/api/keys", {
      name: "Shop",
      scopes: ["templates:write"],
    });
    const { key } = z.object({ key: z.string() }).parse(await made.json());
    const response = await change({ "x-api-key": key, cookie: "" });
    expect(response.status).to.equal(200);
  });

  it("cannot sign anybody in from another page either", async () => {
    const response = await fetch(`${service.url}/studio/sign-in/x`, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(response.status).to.equal(409);
  });
});
