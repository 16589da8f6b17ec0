import { Readable } from "node:stream";
import { expect } from "chai";
import { operator } from "../../core/accounts/index.js";
import type { AssetView } from "../../core/assets/index.js";
import { AuditEvent, Template } from "../../core/storage/database/index.js";
import { useAssetLibrary, renamedFont } from "../support/assets.js";
import { plain } from "../support/image-gallery.js";
import { eachDatabase, anyDatabase, publish } from "../support/store.js";

const png = await plain("teal").png().toBuffer();

const actor = operator;

/** How many of these came to a good end. */
async function countFulfilled(all: Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(all);
  return settled.filter(({ status }) => status === "fulfilled").length;
}

describe("concurrent changes of the asset library", () => {
  eachDatabase((open) => {
    const library = useAssetLibrary(open);
    const page = { page: 1, pageSize: 100 };

    it("stores one file when several are uploaded with the same link at once", async () => {
      const { assets, owner } = library.now;
      const { uploadUrl } = await assets.createUploadLink(owner, { name: "a" });
      const secret = uploadUrl.slice(uploadUrl.lastIndexOf("/") + 1);
      const sent = [1, 2, 3, 4].map((shade) => send(secret, shade));
      expect(await countFulfilled(sent)).to.equal(1);
      const { data } = await assets.list(owner.organizationId, page);
      expect(data).to.have.length(1);
    });

    async function send(secret: string, shade: number): Promise<void> {
      const bytes = await plain(`rgb(${shade}, 0, 0)`).png().toBuffer();
      await library.now.assets.uploads.byLink(secret, Readable.from([bytes]));
    }

    it("keeps a tree when folders are moved concurrently", async () => {
      const { folders, owner } = library.now;
      const made = await Promise.all(
        ["one", "two", "three"].map((name) =>
          folders.create(owner, { name, kind: "asset" }),
        ),
      );
      const moves = made.map(({ id }, at) => {
        const parentId = made[(at + 1) % made.length]?.id ?? "";
        return folders.change(owner.organizationId, id, { parentId });
      });
      expect(await countFulfilled(moves)).to.equal(2);
    });

    it("stores nothing in a folder that is deleted at the same time", async () => {
      const { assets, folders, owner } = library.now;
      const folder = await folders.create(owner, { name: "f", kind: "asset" });
      const upload = { name: "late", folderId: folder.id, actor, bytes: png };
      const ended = await countFulfilled([
        assets.uploads.fromBytes(owner, upload),
        folders.remove(owner.organizationId, folder.id),
      ]);
      expect(ended).to.equal(1);
    });

    it("finds names in all alphabets, ignoring case", async () => {
      const { assets, owner } = library.now;
      const name = "ÄRGER_50% Ωmega.png";
      await assets.uploads.fromBytes(owner, { name, actor, bytes: png });
      for (const [q, found] of [
        ["ärger", 1],
        ["ωMEGA", 1],
        ["r_50%", 1],
        ["r 50%", 0],
      ] as const) {
        const { data } = await assets.list(owner.organizationId, {
          ...page,
          q,
        });
        expect(data, q).to.have.length(found);
      }
    });
  });
});

describe("the audit log of assets", () => {
  anyDatabase((open) => {
    const library = useAssetLibrary(open);
    const auditedActor = { ...operator, origin: "mcp" } as const;

    it("records once who created, trashed, restored and deleted an asset", async () => {
      const { assets, owner, store } = library.now;
      const file = { name: "logo", actor: auditedActor, bytes: png };
      const { id } = await assets.uploads.fromBytes(owner, file);
      await assets.uploads.fromBytes(owner, file);
      await assets.trash(owner, id, auditedActor);
      await assets.trash(owner, id, auditedActor);
      await assets.restore(owner, id, auditedActor);
      await assets.trash(owner, id, auditedActor);
      await assets.purge(owner, id, auditedActor);
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

const empty = { schema: [], components: [] };

const cases: [how: string, component: (asset: AssetView) => object][] = [
  ["its id", ({ use }) => ({ type: "image", src: use })],
  ["its address", ({ url }) => ({ type: "image", src: url })],
  [
    "its family",
    () => ({
      type: "text",
      text: "a",
      style: { "font-family": "'kept hands'" },
    }),
  ],
];

describe("an asset that a template uses", () => {
  anyDatabase((open) => {
    const library = useAssetLibrary(open);

    for (const [how, component] of cases)
      it(`cannot be deleted permanently, even when only an old version uses it: by ${how}`, async () => {
        const { assets, owner, store } = library.now;
        const bytes =
          how === "its family"
            ? await renamedFont("Kept Hands")
            : await plain("teal", how.length).png().toBuffer();
        const asset = await assets.uploads.fromBytes(owner, {
          name: how,
          actor: operator,
          bytes,
        });
        const definition = { schema: [], components: [component(asset)] };
        const id = await publish(store, owner, { definition, name: "Bill" });
        await assets.trash(owner, asset.id, operator);
        const purge = () =>
          assets.purge(owner, asset.id, operator).then(() => "gone", String);
        expect(await purge()).to.contain('"Bill"');
        await store.unitOfWork.run(async (tx) => {
          await tx.update(Template, { id }, { definition: empty });
        });
        expect(await purge()).to.contain('"Bill"');
        await store.unitOfWork.run(async (tx) => {
          await tx.query("DELETE FROM template_version");
        });
        expect(await purge()).to.equal("gone");
      });
  });
});
