import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import { Folder, newId } from "../../core/storage/database/index.js";
import {
  readError,
  newCaller,
  type TestCaller,
  replies,
} from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("PATCH /api/templates/:templateId", () => {
  const service = useService();
  let caller: TestCaller;
  let path: string;
  const patch = async (body: object) =>
    replies.templateSettings(await caller.patch(path, body));
  const newFolder = async (owner: TestCaller, kind: "template" | "asset") => {
    const now = new Date();
    const folder = {
      id: newId(),
      organizationId: owner.organizationId,
      parentId: null,
      kind,
      name: "Bills",
      createdById: owner.userId,
      createdAt: now,
      updatedAt: now,
    };
    await service.store.unitOfWork.run((tx) => tx.insert(Folder, folder));
    return folder.id;
  };

  beforeEach(async () => {
    caller = await newCaller(service);
    path = `/api/templates/${await publish(service.store, caller)}`;
  });

  it("changes the named fields and returns everything but the definition", async () => {
    const folderId = await newFolder(caller, "template");
    const changes = {
      name: "  Bill  ",
      description: "New",
      folderId,
      isActive: false,
      isFavorite: true,
    };
    const changed = await patch(changes);
    expect(changed).to.include({ ...changes, name: "Bill", version: 1 });
    expect(changed).not.to.have.property("definition");
    const { definition: _definition, ...read } = await replies.template(
      await caller.get(path),
    );
    expect(read).to.deep.equal(changed);
    expect(await patch({ description: null, folderId: null })).to.include({
      description: null,
      folderId: null,
      name: "Bill",
    });
  });

  it("changes nothing for an empty object", async () => {
    const before = await replies.template(await caller.get(path));
    const after = await patch({});
    expect(after.updatedAt).to.equal(before.updatedAt);
  });

  it("creates the next version with createVersion", async () => {
    expect((await patch({ createVersion: true })).version).to.equal(2);
    expect((await patch({ createVersion: false })).version).to.equal(2);
    const versions = await replies.versions(
      await caller.get(`${path}/versions`),
    );
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
  });

  for (const [body, named] of [
    [{ name: 5 }, "$.name"],
    [{ name: " " }, "$.name"],
    [{ name: "x".repeat(256) }, "$.name"],
    [{ name: null }, "$.name"],
    [{ description: 1 }, "$.description"],
    [{ isActive: "true" }, "$.isActive"],
    [{ isFavorite: null }, "$.isFavorite"],
    [{ createVersion: 1 }, "$.createVersion"],
    [{ folderId: 7 }, "$.folderId"],
    [{ folderId: "nowhere" }, "$.folderId"],
    [{ folderId: "" }, "$.folderId"],
    [{ folderId: "01a1fe23-1721-7614-9a56-8080331f0d9e" }, "$.folderId"],
    [{ definition: {} }, "$.definition"],
    [{ isactive: true }, "isActive"],
    [[], "array"],
    ["text", "string"],
    [null, "null"],
  ] as const)
    it(`rejects ${JSON.stringify(body).slice(0, 50)} and changes nothing`, async () => {
      const before = await replies.template(await caller.get(path));
      const response = await caller.patch(path, body);
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain(named);
      expect(await replies.template(await caller.get(path))).to.deep.equal(
        before,
      );
    });

  it("rejects folders of other organizations and folders for assets", async () => {
    const stranger = await newCaller(service);
    for (const folderId of [
      await newFolder(stranger, "template"),
      await newFolder(caller, "asset"),
    ])
      expect((await caller.patch(path, { folderId })).status).to.equal(400);
    expect((await stranger.patch(path, { name: "Mine" })).status).to.equal(404);
  });
});
