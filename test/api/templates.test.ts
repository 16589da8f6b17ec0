import { expect } from "chai";
import { download, useApi } from "../support/api.js";
import { json, replies } from "../support/caller.js";
import { definition } from "../support/store.js";

function createText(text: string) {
  return { ...definition, components: [{ id: "a", type: "text", text }] };
}

describe("templates over REST", () => {
  const api = useApi();
  const read = async (id: string) =>
    replies.template(await api.caller.get(`/api/templates/${id}`));

  it("returns a sample of 150,000 fields", async () => {
    const fields = Array.from({ length: 150_000 }, (_, n) => [`f${n}`, 1]);
    const sample = Object.fromEntries(fields);
    const id = await api.caller.publish({
      definition: { ...definition, sample },
    });
    expect((await read(id)).definition.sample).to.deep.equal(sample);
  });

  it("accepts a definition of the maximum depth", async () => {
    let inner: object = { type: "text", text: "Deep" };
    for (let depth = 1; depth < 64; depth += 1)
      inner = { type: "container", components: [inner] };
    const deep = { schema: definition.schema, components: [inner] };
    const { id } = await json<{ id: string }>(
      api.caller.post("/api/templates", { name: "Deep", definition: deep }),
      201,
    );
    expect((await read(id)).definition["components"]).to.have.length(1);
  });

  describe("thumbnailUrl", () => {
    let id: string;
    const url = async () => (await read(id)).thumbnailUrl;
    before(async () => {
      const sample = { name: "Ada" };
      id = await api.caller.publish({ definition: { ...definition, sample } });
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
      for (const wrong of [
        address.replace(/.\.png$/, "_.png"),
        address.replace(id, api.templateId),
        address.replace(/\.png$/, ".jpg"),
        address.replace(id, "none"),
      ])
        expect((await fetch(wrong)).status, wrong).to.equal(404);
    });

    it("changes with the definition, and the old one is gone", async () => {
      const old = await url();
      const path = `/api/templates/${id}/definition`;
      await api.caller.put(path, { definition: createText("Next") });
      const next = await url();
      expect(next).not.to.equal(old);
      expect((await fetch(old)).status).to.equal(404);
      expect(await download(next)).not.to.have.length(0);
    });
  });
});
