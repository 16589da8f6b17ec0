import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { uploadBytes, libraryReplies } from "../../support/assets.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

describe("folders", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const made = async (name: string, more = {}, kind = "asset") =>
    libraryReplies.folder(
      await caller.post("/api/folders", { name, kind, ...more }),
      201,
    );
  const moved = (id: string, parentId: string | null) =>
    caller.patch(`/api/folders/${id}`, { parentId });
  const listed = async (query: string) => {
    const answer = await caller.get(`/api/folders${query}`);
    const { data } = await libraryReplies.folders(answer);
    return data.map(({ name }) => name);
  };

  it("can be nested, each kind separately", async () => {
    const top = await made("top");
    await made("inner", { parentId: top.id });
    await made("letters", {}, "template");
    expect(await listed(`?parentId=${top.id}`)).to.deep.equal(["inner"]);
    expect(await listed("?kind=template")).to.deep.equal(["letters"]);
    const mixed = { name: "x", kind: "template", parentId: top.id };
    const rejected = await caller.post("/api/folders", mixed);
    expect(rejected.status).to.equal(400);
    expect(await readError(rejected)).to.contain("$.parentId");
  });

  it("cannot contain themselves or be nested too deeply", async () => {
    const chain = [await made("1")];
    for (let depth = 2; depth <= 10; depth += 1)
      chain.push(await made(`${depth}`, { parentId: chain.at(-1)?.id }));
    const [first, second] = chain;
    const last = chain.at(-1);
    for (const parent of [first, second, last]) {
      const rejected = await moved(first?.id ?? "", parent?.id ?? "");
      expect(rejected.status).to.equal(400);
      expect(await readError(rejected)).to.contain(
        "is inside the folder itself",
      );
    }
    const deep = { name: "11", kind: "asset", parentId: last?.id };
    const rejected = await caller.post("/api/folders", deep);
    expect(await readError(rejected)).to.contain("more than 10 folders");
    const other = await made("other");
    const under = await moved(first?.id ?? "", other.id);
    expect(await readError(under)).to.contain("more than 10 folders");
  });

  it("reject an empty folder id", async () => {
    const { id } = await made("placed");
    const png = await plain("teal").png().toBuffer();
    const asset = await uploadBytes(caller, "logo.png", png);
    for (const response of [
      await moved(id, ""),
      await caller.patch(`/api/assets/${asset.id}`, { folderId: "" }),
      await caller.post("/api/folders", {
        name: "inner",
        kind: "asset",
        parentId: "",
      }),
    ]) {
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain("Id: ");
    }
  });

  it("form no cycle when two are moved at once", async () => {
    const [one, two] = [await made("one"), await made("two")];
    const answers = await Promise.all([
      moved(one.id, two.id),
      moved(two.id, one.id),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).to.deep.equal([200, 400]);
  });

  it("are deleted when they contain nothing except assets in the trash", async () => {
    const folder = await made("full");
    const folderId = folder.id;
    const bytes = await plain("teal").png().toBuffer();
    const { id } = await uploadBytes(caller, "in it", bytes, {
      folderId,
    });
    const path = `/api/folders/${folderId}`;
    const rejected = await caller.delete(path);
    expect(rejected.status).to.equal(409);
    expect(await readError(rejected)).to.contain("1 asset");
    await caller.delete(`/api/assets/${id}`);
    expect((await caller.delete(path)).status).to.equal(200);
    expect((await caller.delete(path)).status).to.equal(404);
    const asset = await caller.get(`/api/assets/${id}`);
    expect(await asset.json()).to.include({ folderId: null });
  });

  it("contain templates when they are of that kind and organization", async () => {
    const letters = await made("letters", {}, "template");
    const templateId = await publish(service.store, caller, {});
    const put = (folderId: string) =>
      caller.patch(`/api/templates/${templateId}`, { folderId });
    expect((await put(letters.id)).status).to.equal(200);
    const other = await newCaller(service);
    const body = { name: "theirs", kind: "template" };
    const answer = await other.post("/api/folders", body);
    const theirs = await libraryReplies.folder(answer, 201);
    for (const wrong of [(await made("assets")).id, theirs.id, "none"])
      expect((await put(wrong)).status).to.equal(400);
    const rejected = await caller.delete(`/api/folders/${letters.id}`);
    expect(await readError(rejected)).to.contain("1 template");
  });

  it("are treated as missing for another organization", async () => {
    const { id } = await made("mine");
    const other = await newCaller(service);
    const path = `/api/folders/${id}`;
    expect((await other.patch(path, { name: "x" })).status).to.equal(404);
    expect((await other.delete(path)).status).to.equal(404);
    const below = { name: "x", kind: "asset", parentId: id };
    expect((await other.post("/api/folders", below)).status).to.equal(400);
  });
});
