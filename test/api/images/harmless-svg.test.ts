import { expect } from "chai";
import { describe, it } from "mocha";
import { parseImage, useGallery } from "../../support/image-gallery.js";
import { useService } from "../../support/service.js";

const svg = `<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY out SYSTEM "file:///etc/passwd">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="alert(1)">
  <style>.kept{fill:red}</style>
  <style>@import "https://evil.example/a.css";</style>
  <style>.a{fill:u\\72l(https://evil.example/b)}</style>
  <style>&lt;/style>&lt;script>alert(2)&lt;/script></style>
  <script>alert(3)</script>
  <foreignObject><body xmlns="http://www.w3.org/1999/xhtml">html</body></foreignObject>
  <linearGradient id="kept"><stop offset="0"/></linearGradient>
  <path class="kept" d="M0 0L9 9" fill="url(#kept)"/>
  <path style="fill:url(https://evil.example/c)"/>
  <use xlink:href="https://evil.example/d.svg#a"/><use href="#kept"/>
  <image href="https://evil.example/e.png"/><image href="file:///etc/passwd"/>
  <a href="javascript:alert(4)"><text>kept &amp; escaped &out;</text></a>
  <set attributeName="href" to="https://evil.example/f"/>
</svg>`;

describe("an svg image", () => {
  const service = useService();
  const gallery = useGallery(service);

  it("keeps its drawing without scripts and external references", async () => {
    const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
    const { shown, failed } = await gallery.now.show(source);
    expect(failed).to.deep.equal([]);
    const { type, bytes } = parseImage(shown[0]);
    expect(type).to.equal("image/svg+xml");
    const clean = bytes.toString();
    for (const gone of ["alert", "evil", "file:", "passwd", "ENTITY", "html>"])
      expect(clean).not.to.contain(gone);
    for (const kept of [
      "<style>.kept{fill:red}</style>",
      '<path class="kept" d="M0 0L9 9" fill="url(#kept)">',
      '<use href="#kept">',
      "kept &amp; escaped",
    ])
      expect(clean).to.contain(kept);
  });

  it("is rejected with too many elements, and flattened where it is nested too deeply", async () => {
    const wide = svgUrl("<g/>".repeat(20_001));
    const deep = svgUrl("<g>".repeat(19_000));
    const { shown, failed } = await gallery.now.show(wide, deep);
    expect(failed.map(({ reason }) => reason)).to.deep.equal([
      "The SVG has more than 20000 elements. Use a PNG instead.",
    ]);
    const kept = parseImage(shown[1]).bytes.toString().match(/<g>/g) ?? [];
    expect(kept.length).to.be.above(10).and.below(101);
  });
});

function svgUrl(drawing: string): string {
  const file = `<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(file).toString("base64")}`;
}
