import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Asset } from "../../../core/storage/database/index.js";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { uploadBytes, libraryReplies } from "../../support/assets.js";
import { useService } from "../../support/service.js";

const picture = (color: string) => plain(color).png().toBuffer();
const minuteAgo = new Date(Date.now() - 60_000);

describe("an asset that is deleted permanently", () => {
  const service = useService();
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });

  const purge = (id: string, who = caller) =>
    who.delete(`/api/assets/${id}?permanently=true`);
  const createTrashed = async (name: string, bytes: Buffer) => {
    const asset = await uploadBytes(caller, name, bytes);
    await caller.delete(`/api/assets/${asset.id}`);
    return asset;
  };
  const age = async (id: string) => {
    const row = await service.store.read.findOneByOrFail(Asset, { id });
    const path = join(service.dataFolder, "files", row.storageKey);
    await utimes(path, minuteAgo, minuteAgo);
  };

  it("is deleted with its file", async () => {
    const { id, url } = await createTrashed("gone", await picture("teal"));
    await age(id);
    const other = await newCaller(service);
    expect((await purge(id, other)).status).to.equal(404);
    await libraryReplies.asset(await purge(id));
    expect((await caller.get(`/api/assets/${id}`)).status).to.equal(404);
    expect((await fetch(url)).status).to.equal(404);
  });

  it("keeps the file when another asset has the same one", async () => {
    const copy = await uploadBytes(caller, "twin", await picture("red"));
    const { id } = await createTrashed("same", await picture("red"));
    await age(id);
    await libraryReplies.asset(await purge(id));
    expect((await fetch(copy.url)).status).to.equal(200);
  });

  it("must be in the trash", async () => {
    const { id } = await uploadBytes(caller, "kept", await picture("blue"));
    const rejected = await purge(id);
    expect(rejected.status).to.equal(409);
    expect(await readError(rejected)).to.contain(
      "Move the asset to the trash first",
    );
  });
});
