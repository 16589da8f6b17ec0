import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../core/accounts/index.js";
import { createVideo, plain } from "../support/image-gallery.js";
import { useAssetLibrary } from "../support/assets.js";
import { eachFileStore } from "../support/each-file-store.js";
import { onSqlite } from "../support/store.js";

describe("an asset's file", () => {
  eachFileStore((files) => {
    onSqlite((open) => {
      const library = useAssetLibrary(open, files);

      for (const [kind, bytes] of [
        ["an image", () => plain("teal").png().toBuffer()],
        ["a video", () => createVideo("webm", { bytesPerFrame: 20_000 })],
      ] as const)
        it(`can be downloaded from its URL, completely and in ranges: ${kind}`, async () => {
          const { assets, publicFiles, owner } = library.now;
          const file = { name: kind, actor: operator, bytes: await bytes() };
          const { url } = await assets.uploads.fromBytes(owner, file);
          const found = await publicFiles.find(
            url.slice(url.lastIndexOf("/") + 1),
          );
          const whole = await found.open();
          const part = await found.open({ start: 10, end: 19 });
          if (!whole || !part) throw new Error("the file is not there");
          expect((await buffer(whole.stream)).equals(file.bytes)).to.equal(
            true,
          );
          const expected = file.bytes.subarray(10, 20);
          expect((await buffer(part.stream)).equals(expected)).to.equal(true);
          expect(found.sizeBytes).to.equal(file.bytes.length);
        });
    });
  });
});
