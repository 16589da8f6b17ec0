import { expect } from "chai";
import { inlineAssets } from "../../../core/compiler/index.js";
import { merged, renders } from "../support.js";

const pixel = "data:image/png;base64,iVBORw0KGgo=";
const image = (src: string, more: object = {}) => [
  { type: "image", src, ...more },
];

describe("an image", () => {
  it("draws nothing when its source is empty or blank", () => {
    renders(image("{{ root.logo }}"), {}, "");
    renders(image("{{ root.logo }}"), { logo: " \n" }, "");
    renders(image(" "), {}, "");
  });

  it("is listed once when it must be fetched, and is inserted afterwards", () => {
    const one = { type: "image", src: "asset:a-1", alt: "Logo" };
    const document = merged([one, one]);
    expect(document.assets).to.have.length(1);
    expect(document.assets[0]).to.include({ source: "asset:a-1" });
    const token = document.assets[0]?.token ?? "";
    expect(token).to.match(/^[A-Za-z0-9-]+$/);
    const html = inlineAssets(document, new Map([[token, pixel]]));
    expect(html.split(pixel)).to.have.length(3);
    expect(html).not.to.include(token);
  });

  it("shows a placeholder with its alternative text when it is not available", () => {
    const document = merged(image("https://x.example/a.png", { alt: "A & B" }));
    const html = inlineAssets(document, new Map());
    const svg =
      /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html)?.[1] ?? "";
    expect(Buffer.from(svg, "base64").toString()).to.include("A &amp; B");
  });

  it("is reported when its source is not an image", () => {
    const sources = [
      "file:///etc/passwd",
      "javascript:alert(1)",
      "data:text/html,x",
    ];
    for (const src of sources)
      expect(
        merged(image("{{ root.src }}"), { src }).report.refusedImages,
      ).to.eql([src]);
  });
});
