import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  parseImage,
  plain,
  useGallery,
  createVideo,
} from "../../support/image-gallery.js";
import { uploadBytes } from "../../support/assets.js";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";

const png = await plain("teal").png().toBuffer();
const webp = await plain("gold").webp().toBuffer();

describe("an asset in a document", () => {
  const service = useService();
  const gallery = useGallery(service);
  let caller: TestCaller;
  before(() => {
    caller = gallery.now.caller;
  });

  it("is found by its id or URL without a request", async () => {
    const { use, url } = await uploadBytes(caller, "a", png);
    const other = await uploadBytes(caller, "b", webp);
    const { shown, failed } = await gallery.now.show(
      use,
      `${url}?size=large`,
      other.url,
    );
    expect(failed).to.deep.equal([]);
    const bytes = [png, png, webp];
    expect(shown.map((one) => parseImage(one).bytes)).to.deep.equal(bytes);
  });

  it("is still shown when it is in the trash", async () => {
    const { id, use, url } = await uploadBytes(caller, "old", png);
    await caller.delete(`/api/assets/${id}`);
    const { shown, failed } = await gallery.now.show(use, url);
    expect(failed).to.deep.equal([]);
    expect(parseImage(shown[1]).bytes).to.deep.equal(png);
  });

  it("is not shown to another organization, by id or by URL", async () => {
    const other = await newCaller(service);
    const theirs = await uploadBytes(other, "a", png);
    const { failed } = await gallery.now.show(theirs.use, theirs.url);
    const reasons = failed.map(({ reason }) => reason);
    const none = "The organization has no such image.";
    expect(reasons).to.deep.equal([none, none]);
  });

  it("is a preview image with a caption when it is a video", async () => {
    const video = await createVideo("mp4", { seconds: 93 });
    const { use } = await uploadBytes(caller, "Welcome <b>&", video);
    const { shown, failed } = await gallery.now.show(use);
    expect(failed).to.deep.equal([]);
    const { type, bytes } = parseImage(shown[0]);
    expect(type).to.equal("image/svg+xml");
    expect(bytes.toString()).to.contain("Welcome &lt;b&gt;&amp;");
    expect(bytes.toString()).to.contain("1:33");
  });
});
