import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { publish } from "../../support/store.js";
import { useTools } from "../../support/tool-client.js";

const text = (words: string) => ({
  schema: [],
  components: [{ id: "a", type: "text", text: words }],
});

describe("edit_template", () => {
  const { answer, rejection, service, caller } = useTools();
  let templateId: string;
  beforeEach(async () => {
    const definition = text("one");
    templateId = await publish(service.store, caller(), { definition });
  });
  const edit = (args: object) =>
    answer("edit_template", { templateId, ...args });
  const rejected = (args: object) =>
    rejection("edit_template", { templateId, ...args });
  const now = () => answer("get_template", { templateId });

  it("changes the named fields and creates a version with its note", async () => {
    const definition = text("two");
    await edit({
      name: "Renamed",
      description: "About",
      isActive: false,
      definition,
      format: "Letter",
      isLandscape: true,
      createVersion: true,
      versionNote: "Second",
    });
    const page = { size: "Letter", landscape: true };
    expect(await now()).to.deep.include({
      name: "Renamed",
      description: "About",
      isActive: false,
      version: 2,
      definition: { ...definition, page },
    });
    const { data } = await answer("list_template_versions", { templateId });
    expect(data).to.have.lengthOf(2);
    expect(JSON.stringify(data)).to.contain('"description":"Second"');
  });

  it("changes the paper of the existing definition", async () => {
    await edit({ format: "A3" });
    expect(await now()).to.deep.include({
      definition: { ...text("one"), page: { size: "A3" } },
      version: 1,
    });
  });

  it("changes nothing when one part of the edit is rejected", async () => {
    const before = await now();
    const { code } = await rejected({
      name: "Renamed",
      createVersion: true,
      definition: { schema: [], components: [{ type: "nothing" }] },
    });
    expect(code).to.equal("invalid_definition");
    expect(await now()).to.deep.equal(before);
  });

  it("changes nothing when it would overwrite another person's changes", async () => {
    const { updatedAt: first } = await now();
    await edit({ name: "By another", expectedVersion: first });
    for (const expectedVersion of [first, 1, 7]) {
      const { code, error, problems } = await rejected({
        name: "Mine",
        expectedVersion,
      });
      expect(code).to.equal("conflict");
      const { updatedAt } = await now();
      expect(error).to.contain(updatedAt);
      expect(problems[0]?.path).to.equal("expectedVersion");
    }
    expect(await now()).to.include({ name: "By another" });
  });

  it("accepts a version's number while nothing has changed since", async () => {
    await edit({ name: "Two", expectedVersion: 1, createVersion: true });
    await edit({ name: "Three", expectedVersion: "2" });
    const odd = await rejected({ name: "Four", expectedVersion: 1.5 });
    expect(odd.problems[0]?.message).to.contain("updatedAt");
    const { code } = await rejected({ name: "Four", expectedVersion: 2 });
    expect(code).to.equal("conflict");
  });

  it("reports that a note without a version is not stored", async () => {
    const { warnings, name } = await edit({ name: "N", versionNote: "Lost" });
    expect(name).to.equal("N");
    expect(JSON.stringify(warnings)).to.contain("createVersion");
  });
});
