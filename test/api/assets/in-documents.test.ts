import { expect } from "chai";
import { useApi } from "../../support/api.js";
import { type AssetReply, uploadBytes } from "../../support/assets.js";
import { newCaller } from "../../support/caller.js";
import {
  createVideo,
  parseImage,
  plain,
  useGallery,
} from "../../support/image-gallery.js";

const png = await plain("teal").png().toBuffer();
const webp = await plain("gold").webp().toBuffer();

const image = (src: string, more = {}) => ({ type: "image", src, ...more });

describe("an asset in a document", () => {
  const api = useApi();
  const gallery = useGallery(api.service);
  let logo: AssetReply;
  let video: AssetReply;
  before(async () => {
    const { caller } = gallery.now;
    logo = await uploadBytes(caller, "logo", png);
    const bytes = await createVideo("mp4", { seconds: 93 });
    video = await uploadBytes(caller, "Welcome <b>&", bytes);
  });

  it("is found by its id or URL without a request, also in the trash", async () => {
    const { caller } = gallery.now;
    const other = await uploadBytes(caller, "b", webp);
    await caller.delete(`/api/assets/${other.id}`);
    const sources = [logo.use, `${logo.url}?size=large`, other.use, other.url];
    const { shown, failed } = await gallery.now.show(...sources);
    expect(failed).to.deep.equal([]);
    const bytes = [png, png, webp, webp];
    expect(shown.map((one) => parseImage(one).bytes)).to.deep.equal(bytes);
  });

  it("is not shown to another organization, by id or by URL", async () => {
    const other = await newCaller(api.service);
    const theirs = await uploadBytes(other, "a", png);
    const { failed } = await gallery.now.show(theirs.use, theirs.url);
    const reason = "The organization has no such image.";
    expect(failed.map((one) => one.reason)).to.deep.equal([reason, reason]);
  });

  it("is a preview image with a caption when it is a video", async () => {
    const { shown, failed } = await gallery.now.show(video.use);
    expect(failed).to.deep.equal([]);
    const { type, bytes } = parseImage(shown[0]);
    expect(type).to.equal("image/svg+xml");
    expect(bytes.toString())
      .to.contain("Welcome &lt;b&gt;&amp;")
      .and.contain("1:33");
  });

  it("links to the video in a document, unless it has another link", async () => {
    const href = "https://example.com/";
    const components = [image(video.use), image(video.url, { href })];
    const { caller } = gallery.now;
    const definition = { schema: [], components };
    const templateId = await caller.publish({ definition });
    const html = await api.html({ templateId }, caller);
    const links = [...html.matchAll(/<a href="([^"]*)"><img/g)];
    expect(links.map(([, link]) => link)).to.deep.equal([video.url, href]);
  });

  it("is used in an email by its URL, and a video by that of its preview image", async () => {
    const components = [image(video.use), image(video.url), image(logo.use)];
    const column = { type: "column", components };
    const { caller } = gallery.now;
    const templateId = await caller.publish({
      templateType: "email",
      definition: {
        schema: [],
        email: { subject: "Hello" },
        components: [{ type: "section", components: [column] }],
      },
    });
    const formats = ["html", "mjml"];
    const { result } = await api.render({ templateId, formats }, caller);
    const html = result.html?.htmlDocument ?? "";
    const mjml = result.mjml?.mjmlDocument ?? "";
    const sources = [...html.matchAll(/ src="([^"]*)"/g)];
    const { poster } = video.urls;
    const expected = [poster, poster, logo.url];
    expect(sources.map(([, src]) => src)).to.deep.equal(expected);
    expect(html.split(`<a href="${video.url}"`)).to.have.length(3);
    expect(mjml.split(`<a href="${video.url}"`)).to.have.length(3);
    expect(mjml).to.contain(`src="${logo.url}"`);
    expect(html + mjml).not.to.contain("data:image");
  });
});
