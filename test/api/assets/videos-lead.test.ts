import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../../support/caller.js";
import { exported, useService } from "../../support/service.js";
import { plain, createVideo } from "../../support/image-gallery.js";
import { uploadBytes, type AssetReply } from "../../support/assets.js";
import { publish } from "../../support/store.js";

function image(src: string, more = {}) {
  return { type: "image", src, ...more };
}

describe("the preview image of a video", () => {
  const service = useService();
  let caller: TestCaller;
  let video: AssetReply;
  let logo: AssetReply;
  before(async () => {
    caller = await newCaller(service);
    video = await uploadBytes(caller, "clip", await createVideo("webm"));
    const png = await plain("teal").png().toBuffer();
    logo = await uploadBytes(caller, "logo", png);
  });

  it("links to the video in a document, unless it has another link", async () => {
    const elsewhere = { href: "https://example.com/" };
    const components = [image(video.use), image(video.url, elsewhere)];
    const definition = { schema: [], components };
    const templateId = await publish(service.store, caller, { definition });
    const { result } = await exported(caller, {
      templateId,
      formats: ["html"],
    });
    const html = result.html?.htmlDocument ?? "";
    const links = [...html.matchAll(/<a href="([^"]*)"><img/g)];
    expect(links.map(([, href]) => href)).to.deep.equal([
      video.url,
      elsewhere.href,
    ]);
  });

  it("is used in an email by its URL, like other assets", async () => {
    const components = [image(video.use), image(video.url), image(logo.use)];
    const definition = {
      schema: [],
      email: { subject: "Hello" },
      components: [
        { type: "section", components: [{ type: "column", components }] },
      ],
    };
    const template = { templateType: "email", definition };
    const templateId = await publish(service.store, caller, template);
    const formats = ["html", "mjml"];
    const { result } = await exported(caller, { templateId, formats });
    const html = result.html?.htmlDocument ?? "";
    const sources = [...html.matchAll(/ src="([^"]*)"/g)];
    const { poster } = video.urls;
    const expected = [poster, poster, logo.url];
    expect(sources.map(([, src]) => src)).to.deep.equal(expected);
    expect(html.split(`<a href="${video.url}"`)).to.have.length(3);
    const mjml = result.mjml?.mjmlDocument ?? "";
    expect(mjml.split(`<mj-image href="${video.url}"`)).to.have.length(3);
    expect(mjml).to.contain(`src="${logo.url}"`);
    expect(html + mjml).not.to.contain("data:image");
  });
});
