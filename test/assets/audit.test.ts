import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { AuditEvent } from "../../core/storage/database/index.js";
import { plain } from "../support/image-gallery.js";
import { useAssetLibrary } from "../support/assets.js";
import { anyDatabase } from "../support/store.js";

const png = await plain("navy").png().toBuffer();

describe("the audit log of assets", () => {
  anyDatabase((open) => {
    const library = useAssetLibrary(open);
    const actor = { ...operator, origin: "mcp" } as const;

    it("records once who created, trashed, restored and deleted an asset", async () => {
      const { assets, owner, store } = library.now;
      const file = { name: "logo", actor, bytes: png };
      const { id } = await assets.uploads.fromBytes(owner, file);
      await assets.uploads.fromBytes(owner, file);
      await assets.trash(owner, id, actor);
      await assets.trash(owner, id, actor);
      await assets.restore(owner, id, actor);
      await assets.trash(owner, id, actor);
      await assets.purge(owner, id, actor);
      const where = { subject: id, origin: "mcp" } as const;
      const auditEvents = await store.read.find(AuditEvent, {
        where,
        order: { id: "ASC" },
      });
      expect(auditEvents.map(({ action }) => action)).to.deep.equal([
        "asset.created",
        "asset.trashed",
        "asset.restored",
        "asset.trashed",
        "asset.deleted",
      ]);
      expect(auditEvents[0]?.details).to.include({ name: "logo" });
    });

    it("records the creator of the upload link", async () => {
      const { assets, owner, store } = library.now;
      const { uploadUrl } = await assets.createUploadLink(owner, { name: "a" });
      const secret = uploadUrl.slice(uploadUrl.lastIndexOf("/") + 1);
      const { id } = await assets.uploads.byLink(secret, toChunks(png));
      const found = await store.read.findOneBy(AuditEvent, { subject: id });
      expect(found).to.include({
        action: "asset.created",
        userId: owner.userId,
      });
    });
  });
});

async function* toChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
