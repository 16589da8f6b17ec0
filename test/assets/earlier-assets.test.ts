import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { AssetLibrary } from "../../migrations/0012-asset-library.js";
import { plain } from "../support/image-gallery.js";
import { useAssetLibrary } from "../support/assets.js";
import { eachDatabase } from "../support/store.js";

const png = await plain("teal").png().toBuffer();

describe("assets from before the asset library", () => {
  eachDatabase((open) => {
    const library = useAssetLibrary(open);

    it("are found by name, and equal files share a URL", async () => {
      const { assets, owner, store } = library.now;
      for (const name of ["LOGO one", "LOGO two"])
        await assets.uploads.fromBytes(owner, {
          name,
          actor: operator,
          bytes: png,
        });
      const other = await plain("red").png().toBuffer();
      await assets.uploads.fromBytes(owner, {
        name: "LOGO",
        actor: operator,
        bytes: other,
      });
      const migration = new AssetLibrary();
      const runner = store.dataSource.createQueryRunner();
      await migration.down(runner);
      await migration.up(runner);
      await migration.up(runner);
      await runner.release();
      const { data } = await assets.list(owner.organizationId, {
        page: 1,
        pageSize: 10,
        q: "logo",
      });
      const [newest, two, one] = data.map(({ url }) => url);
      expect(data).to.have.length(3);
      expect(one).to.match(/\/cdn\/[\w-]{43}\.png$/);
      expect(two).to.equal(one);
      expect(newest).not.to.equal(one);
    });
  });
});
