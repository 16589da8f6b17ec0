import { expect } from "chai";
import { describe, it } from "mocha";
import { eachFileStore } from "../../support/each-file-store.js";

const bytes = Buffer.from("a file");

async function all(keys: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const key of keys) found.push(key);
  return found.toSorted();
}

describe("the cleanup of a file store", () => {
  eachFileStore((files) => {
    it("lists the keys of one folder", async () => {
      const keys = ["listed/aa/one.pdf", "listed/bb/two.pdf"];
      for (const key of [...keys, "listed-not/aa/three.pdf"])
        await files().put(key, bytes);
      expect(await all(files().keys("listed"))).to.deep.equal(keys);
      expect(await all(files().keys("empty"))).to.deep.equal([]);
    });

    it("deletes only what is older", async () => {
      const key = "swept/aa/one.pdf";
      await files().put(key, bytes);
      const hourMs = 3_600_000;
      const before = new Date(Date.now() - hourMs);
      const after = new Date(Date.now() + hourMs);
      expect(await files().deleteIfOlder(key, before)).to.equal(false);
      expect(await files().deleteIfOlder(key, after)).to.equal(true);
      expect(await files().deleteIfOlder(key, after)).to.equal(false);
      expect(await files().size(key)).to.equal(null);
    });
  });
});
