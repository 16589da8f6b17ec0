import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { readError, newCaller, type TestCaller } from "../../support/caller.js";
import { plain } from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";
import { eachDatabase } from "../../support/store.js";

const images = await Promise.all(
  ["red", "green", "blue", "teal", "navy", "gold"].map((color) =>
    plain(color).png().toBuffer(),
  ),
);
const [first = Buffer.alloc(0)] = images;

eachDatabase((_open, database) => {
  describe("an organization whose assets are limited", () => {
    // Room for two of the images, which are nearly equal in size.
    const { assets } = parseConfig({
      PLATEN_ORGANIZATION_ASSET_BYTES: String(Math.ceil(first.length * 2.5)),
    });
    const service = useService({ config: { database, assets } });
    const upload = ({ key }: TestCaller, name: string, image: Buffer) =>
      fetch(`${service.url}/api/assets?name=${name}`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "image/png" },
        body: Uint8Array.from(image),
      });

    it("gets a 413 for one too many, until one was deleted permanently", async () => {
      const caller = await newCaller(service);
      const [, second = first, third = first] = images;
      const made = await upload(caller, "first", first);
      expect(made.status).to.equal(201);
      const { id }: { id: string } = JSON.parse(await made.text());
      expect((await upload(caller, "second", second)).status).to.equal(201);
      const rejected = await upload(caller, "third", third);
      expect(rejected.status).to.equal(413);
      expect(await readError(rejected)).to.contain(
        "PLATEN_ORGANIZATION_ASSET_BYTES",
      );
      await caller.delete(`/api/assets/${id}`);
      expect((await upload(caller, "third", third)).status).to.equal(413);
      await caller.delete(`/api/assets/${id}?permanently=true`);
      expect((await upload(caller, "third", third)).status).to.equal(201);
    });

    it("does not limit another organization", async () => {
      const other = await newCaller(service);
      expect((await upload(other, "first", first)).status).to.equal(201);
    });

    it("cannot exceed the limit by uploads at the same time", async () => {
      const caller = await newCaller(service);
      const answers = await Promise.all(
        images.map((image, index) => upload(caller, `image-${index}`, image)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses).to.have.members([201, 201, 413, 413, 413, 413]);
    });
  });
});
