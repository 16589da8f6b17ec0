import { expect } from "chai";
import { before, describe, it } from "mocha";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain, createVideo } from "../../support/image-gallery.js";
import {
  uploadBytes,
  type AssetReply,
  libraryReplies,
} from "../../support/assets.js";
import { useService } from "../../support/service.js";

const picture = (color: string) => plain(color).png().toBuffer();

describe("the library", () => {
  const service = useService();
  let caller: TestCaller;
  let logo: AssetReply;
  before(async () => {
    caller = await newCaller(service);
    logo = await uploadBytes(caller, "Löwe_50%.png", await picture("teal"));
    await uploadBytes(caller, "Tiger.png", await picture("red"));
    await uploadBytes(caller, "Clip", await createVideo("webm"));
  });

  const names = async (query: string, who = caller): Promise<string> => {
    const response = await who.get(`/api/assets${query}`);
    const { data } = await libraryReplies.assets(response);
    return data.map(({ name }) => name).join(" ");
  };

  for (const [query, expected] of [
    ["", "Clip Tiger.png Löwe_50%.png"],
    ["?pageSize=2", "Clip Tiger.png"],
    ["?pageSize=2&page=2", "Löwe_50%.png"],
    ["?assetType=video", "Clip"],
    ["?assetType=font", ""],
    ["?q=L%C3%96WE", "Löwe_50%.png"],
    ["?q=_50%25", "Löwe_50%.png"],
    ["?q=e_5%25", ""],
    ["?folderId=none", ""],
  ] as const)
    it(`is listed newest first: ${query || "all"}`, async () => {
      expect(await names(query)).to.equal(expected);
    });

  it("returns each asset's creator and the total count", async () => {
    const response = await caller.get("/api/assets?pageSize=1");
    const { data, pagination } = await libraryReplies.assets(response);
    expect(data[0]?.createdBy.id).to.equal(caller.userId);
    expect(pagination).to.deep.equal({ page: 1, pageSize: 1, total: 3 });
  });

  it("can be neither read nor changed by other organizations", async () => {
    const other = await newCaller(service);
    expect(await names("?includeTrashed=true", other)).to.equal("");
    const path = `/api/assets/${logo.id}`;
    for (const answer of [
      await other.get(path),
      await other.patch(path, { name: "mine" }),
      await other.delete(path),
      await other.post(`${path}/restore`, {}),
      await other.get("/api/assets/none"),
    ]) {
      expect(answer.status).to.equal(404);
      expect(await readError(answer)).to.equal("Asset not found.");
    }
  });

  it("hides assets in the trash and restores them", async () => {
    const bytes = await picture("blue");
    const { id } = await uploadBytes(caller, "old", bytes);
    const path = `/api/assets/${id}`;
    for (const time of [1, 2]) {
      const trashed = await libraryReplies.asset(await caller.delete(path));
      expect(trashed.isTrashed, `time ${time}`).to.equal(true);
      expect(trashed.trashedAt).to.be.a("string");
    }
    expect(await names("?q=old")).to.equal("");
    expect(await names("?q=old&includeTrashed=true")).to.equal("old");
    expect(await names("?onlyTrashed=true")).to.equal("old");
    const read = await libraryReplies.asset(await caller.get(path));
    expect(read.isTrashed).to.equal(true);
    const again = await uploadBytes(caller, "old", bytes);
    expect(again.id, "a new one while it lies there").not.to.equal(id);
    const back = await libraryReplies.asset(
      await caller.post(`${path}/restore`, {}),
    );
    expect(back).to.include({ isTrashed: false, trashedAt: null });
  });

  it("stores the same file under the same name once", async () => {
    const again = await uploadBytes(caller, logo.name, await picture("teal"));
    expect(again).to.deep.equal(logo);
    const named = await uploadBytes(caller, "other", await picture("teal"));
    expect(named.id).not.to.equal(logo.id);
    const changed = await uploadBytes(caller, logo.name, await picture("gold"));
    expect(changed.id).not.to.equal(logo.id);
  });

  it("renames an asset and moves it to another folder", async () => {
    const made = await caller.post("/api/folders", {
      name: "F",
      kind: "asset",
    });
    const folder = await libraryReplies.folder(made, 201);
    const path = `/api/assets/${logo.id}`;
    const change = { name: " Lion ", folderId: folder.id };
    const changed = await libraryReplies.asset(
      await caller.patch(path, change),
    );
    expect(changed).to.include({ name: "Lion", folderId: folder.id });
    expect(await names("?q=LION")).to.equal("Lion");
    expect(await names(`?folderId=${folder.id}`)).to.equal("Lion");
    const wrong = await caller.patch(path, { folderId: logo.id });
    expect(wrong.status).to.equal(400);
    expect(await readError(wrong)).to.contain("$.folderId");
  });
});
