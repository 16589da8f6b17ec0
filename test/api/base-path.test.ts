import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { newCaller } from "../support/caller.js";
import { exported, TestService } from "../support/service.js";
import { freePort } from "../support/free-port.js";
import { suiteFolder } from "../support/store-folder.js";
import { publish } from "../support/store.js";

describe("a base URL with a path", () => {
  const folder = suiteFolder();
  let service: TestService;

  before(async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}/platen`;
    service = new TestService(folder, { config: { port, baseUrl } });
    await service.start();
  });
  after(() => service.stop());

  it("is part of links, which work whether or not a proxy strips the path", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const { document } = await exported(caller, {
      templateId,
      formats: ["html"],
    });
    const url = document.outputs[0]?.url ?? "";
    expect(url).to.match(/\/platen\/files\/doc_/);
    expect((await fetch(url)).status).to.equal(200);
    expect((await fetch(url.replace("/platen/", "/"))).status).to.equal(200);
  });
});
