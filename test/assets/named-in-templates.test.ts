import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import type { AssetView } from "../../core/assets/index.js";
import { Template } from "../../core/storage/database/index.js";
import { useAssetLibrary, renamedFont } from "../support/assets.js";
import { plain } from "../support/image-gallery.js";
import { anyDatabase, publish } from "../support/store.js";

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
