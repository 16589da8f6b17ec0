import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { uploadBytes, renamedFont } from "../../support/assets.js";
import { publish } from "../../support/store.js";

function definitionWith(family: string) {
  const style = { "font-family": `"${family}"` };
  return { schema: [], components: [{ type: "text", text: "Hi", style }] };
}

describe("a font in the library", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const readFontFaces = async (
    templateId: string,
    templateVersion?: number,
  ) => {
    const version = templateVersion === undefined ? {} : { templateVersion };
    const formats = ["html"];
    const body = { templateId, formats, ...version };
    const { result } = await exported(caller, body);
    const html = result.html?.htmlDocument ?? "";
    const faces = html.matchAll(/@font-face\{font-family:"([^"]*)"/g);
    return [...faces].map(([, family]) => family);
  };
  const templateWith = (family: string) =>
    publish(service.store, caller, { definition: definitionWith(family) });

  it("can be named by its family, its id or its URL", async () => {
    const font = await uploadBytes(caller, "hand", await renamedFont());
    for (const family of ["Acme Hands", `asset:${font.id}`, font.url]) {
      const templateId = await templateWith(family);
      expect(await readFontFaces(templateId)).to.deep.equal([family]);
    }
  });

  it("remains available in the trash for existing documents", async () => {
    const bytes = await renamedFont("Late Hands");
    const { id } = await uploadBytes(caller, "late", bytes);
    const early = await templateWith("Late Hands");
    const byId = await templateWith(`asset:${id}`);
    await caller.delete(`/api/assets/${id}`);
    const late = await templateWith("Late Hands");
    expect(await readFontFaces(early, 1)).to.deep.equal(["Late Hands"]);
    expect(await readFontFaces(early)).to.deep.equal(["Late Hands"]);
    expect(await readFontFaces(byId)).to.deep.equal([`asset:${id}`]);
    expect(await readFontFaces(late)).to.deep.equal([]);
  });
});
