import { expect } from "chai";
import { inlineAssets } from "../../../core/compiler/index.js";
import { merged, rejects } from "../support.js";

describe("a page background", () => {
  it("is a color on the whole sheet", () => {
    const { html } = merged({ page: { background: "#fdf6e3" } });
    expect(html).to.include("@page{background:#fdf6e3}");
  });

  it("is an image on the whole sheet, including the margins", () => {
    const image =
      "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
    const page = { margin: "10px", background: { image, fit: "fill" } };
    const { html } = merged({ page });
    expect(html).to.include(
      "var(--paper) -10px -10px/793.701px 1122.52px no-repeat",
    );
    expect(html).to.include("preserveAspectRatio=%22none%22");
  });

  it("can be an image that has to be fetched", () => {
    const document = merged(
      { page: { background: { image: "asset:{{ root.id }}" } } },
      { id: "x1" },
    );
    expect(document.assets[0]).to.include({ source: "asset:x1" });
    const url = "data:image/png;base64,AAAA";
    const token = document.assets[0]?.token ?? "";
    expect(inlineAssets(document, new Map([[token, url]]))).to.include(
      `href=%22${url}%22`,
    );
  });

  it("is rejected when it is not a color or has unknown properties", () => {
    rejects({ page: { background: "url(x)" } }, "$.page.background", "a color");
    rejects(
      { page: { background: { colour: "red" } } },
      "$.page.background.colour",
      "color",
    );
  });
});
