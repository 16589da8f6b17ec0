import { expect } from "chai";
import { describe, it } from "mocha";
import { exported, useService } from "../../support/service.js";
import {
  fetchingFromLoopback,
  plain,
  useGallery,
  useImageServer,
} from "../../support/image-gallery.js";
import { publish } from "../../support/store.js";

const png = await plain("teal").png().toBuffer();

describe("remote images in an email", () => {
  const service = useService(fetchingFromLoopback());
  const gallery = useGallery(service);
  const server = useImageServer({ "/a.png": { body: png } });

  it("stay remote in its html and are fetched for its image", async () => {
    const src = server.at("/a.png");
    const image = { type: "image", src, width: "200px" };
    const templateId = await publish(service.store, gallery.now.caller, {
      templateType: "email",
      definition: {
        schema: [],
        email: { subject: "Hello" },
        components: [
          {
            type: "section",
            components: [{ type: "column", components: [image] }],
          },
        ],
      },
    });
    const texts = { templateId, formats: ["html", "mjml"] };
    const { result } = await exported(gallery.now.caller, texts);
    expect(result.html?.htmlDocument).to.contain(`src="${src}"`);
    expect(server.requests).to.deep.equal([]);
    const { headers } = await exported(gallery.now.caller, {
      templateId,
      formats: ["html", "image"],
    });
    expect(headers.get("x-render-warnings")).to.equal("0");
    expect(server.requests).to.deep.equal(["/a.png"]);
  });
});
