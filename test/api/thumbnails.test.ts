import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Template } from "../../core/storage/database/index.js";
import { newCaller, type TestCaller, replies } from "../support/caller.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

describe("a template's thumbnailUrl", () => {
  const service = useService();
  let caller: TestCaller;
  let id: string;
  const url = async () =>
    (await replies.template(await caller.get(`/api/templates/${id}`)))
      .thumbnailUrl;

  before(async () => {
    caller = await newCaller(service);
    const sample = { name: "Ada" };
    id = await publish(service.store, caller, {
      definition: { ...definition, sample },
    });
  });

  it("is a public picture 480 pixels wide that can be cached permanently", async () => {
    const address = await url();
    const [response] = await Promise.all([fetch(address), fetch(address)]);
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.equal("image/png");
    expect(response.headers.get("cache-control")).to.contain("immutable");
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.readUInt32BE(16)).to.be.within(479, 481);
  });

  it("returns 404 with another signature, template or file type", async () => {
    const address = await url();
    const other = await publish(service.store, caller);
    for (const wrong of [
      address.replace(/.\.png$/, "_.png"),
      address.replace(id, other),
      address.replace(/\.png$/, ".jpg"),
      address.replace(id, "none"),
    ])
      expect((await fetch(wrong)).status, wrong).to.equal(404);
  });

  it("changes with the definition, and the old one is gone", async () => {
    const old = await url();
    const definitionHash = "0".repeat(64);
    await service.store.unitOfWork.run((tx) =>
      tx.update(Template, { id }, { definitionHash }),
    );
    expect(await url()).not.to.equal(old);
    expect((await fetch(old)).status).to.equal(404);
    expect((await fetch(await url())).status).to.equal(200);
  });
});
