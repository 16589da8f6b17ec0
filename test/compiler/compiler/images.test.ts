import { expect } from "chai";
import { merged, renders } from "../support.js";

const image = (src: string, more: object = {}) => [
  { type: "image", src, ...more },
];

describe("an image", () => {
  it("draws nothing when its source is empty or blank", () => {
    renders(image("{{ root.logo }}"), {}, "");
    renders(image("{{ root.logo }}"), { logo: " \n" }, "");
    renders(image(" "), {}, "");
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
