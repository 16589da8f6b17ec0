import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newBatchCaller } from "../support/batches.js";
import { readError, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { postMessage, rpc } from "../support/tool-client.js";

describe("a body's charset", () => {
  const service = useService();
  let caller: TestCaller;
  let bodies: Record<string, object>;
  before(async () => {
    caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    bodies = {
      "/api/export": { templateId, formats: ["html"] },
      "/api/export/batch": { templateId, formats: ["html"], items: [{}] },
      "/api/assets": { name: "a.txt", base64Data: "aGk=" },
      "/api/folders": { name: "F", kind: "asset" },
    };
  });
  const send = (path: string, contentType: string) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { "x-api-key": caller.key, "content-type": contentType },
      body: Buffer.from(JSON.stringify(bodies[path]), "latin1"),
    });

  for (const path of [
    "/api/export",
    "/api/export/batch",
    "/api/assets",
    "/api/folders",
  ]) {
    it(`returns 415 from ${path} for any other than UTF-8`, async () => {
      for (const charset of [
        "iso-8859-1",
        '"ISO-8859-1"',
        "utf-16",
        "windows-1252",
        "us-ascii",
        "nonsense",
      ]) {
        const type = `application/json; charset=${charset}`;
        const response = await send(path, type);
        expect(response.status, type).to.equal(415);
        expect(await readError(response)).to.match(/UTF-8.*Send UTF-8/);
      }
    });

    it(`is UTF-8 for ${path}, however it is written`, async () => {
      for (const type of [
        "application/json",
        "application/json;charset=utf-8",
        'application/json; Charset="UTF-8"',
        "application/json; charset=utf8; profile=x",
        "application/vnd.api+json ; charset = utf-8",
      ])
        expect((await send(path, type)).status, type).to.not.equal(415);
    });
  }

  it("returns 415 from the tool server", async () => {
    const headers = {
      "x-api-key": caller.key,
      "content-type": "application/json; charset=iso-8859-1",
    };
    const message = rpc("tools/list");
    const response = await postMessage(service.url, headers, message);
    expect(response.status).to.equal(415);
    expect(await readError(response)).to.contain("iso-8859-1");
  });

  it("does not matter for a file", async () => {
    const response = await fetch(`${service.url}/api/assets?name=a.svg`, {
      method: "POST",
      headers: {
        "x-api-key": caller.key,
        "content-type": "image/svg+xml; charset=iso-8859-1",
      },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    });
    expect(response.status).to.equal(201);
  });
});
