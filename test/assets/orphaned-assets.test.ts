import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Asset } from "../../core/storage/database/index.js";
import * as tokens from "../../core/app/tokens.js";
import { newCaller } from "../support/caller.js";
import { uploadBytes } from "../support/assets.js";
import { useService } from "../support/service.js";
import { createVideo } from "../support/image-gallery.js";

const dayMs = 24 * 60 * 60_000;

describe("a file of an asset", () => {
  const service = useService();

  it("is deleted after an hour without a row that references it", async () => {
    const caller = await newCaller(service);
    const files = service.container.resolve(tokens.FILE_STORE);
    const assets = service.container.resolve(tokens.ASSETS);
    const videos = [
      await uploadBytes(caller, "kept", await createVideo("mp4")),
      await uploadBytes(caller, "lost", await createVideo("webm")),
    ];
    await caller.delete(`/api/assets/${videos[0]?.id}`);
    const rows = await service.store.read.find(Asset, {
      order: { name: "ASC" },
    });
    const keys = rows.map(({ storageKey, posterKey }) => [
      storageKey,
      posterKey ?? "",
    ]);
    const sizes = () => Promise.all(keys.flat().map((key) => files.size(key)));
    await service.store.unitOfWork.run(async (tx) => {
      await tx.delete(Asset, { name: "lost" });
    });
    await assets.sweep(new Date());
    expect(await sizes(), "all are young").not.to.include(null);
    const old = new Date(Date.now() - dayMs);
    for (const key of keys.flat())
      await utimes(join(service.dataFolder, "files", key), old, old);
    await assets.sweep(new Date());
    const [kept, poster, ...lost] = await sizes();
    expect([kept, poster], "one in the trash too").not.to.include(null);
    expect(lost).to.deep.equal([null, null]);
    const again = await uploadBytes(caller, "lost", await createVideo("webm"));
    expect((await fetch(again.url)).status).to.equal(200);
  });
});
