import { Readable } from "node:stream";
import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { plain } from "../support/image-gallery.js";
import { useAssetLibrary } from "../support/assets.js";
import { eachDatabase } from "../support/store.js";

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
