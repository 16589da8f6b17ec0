import { expect } from "chai";
import { describe, it } from "mocha";
import sharp from "sharp";
import { compileTemplate } from "../../core/compiler/index.js";
import { accepted, OPTIONS } from "../compiler/support.js";
import { ample, sharedRenderer } from "../support/renderer.js";

const widthPx = 600;

const code = { type: "qrcode", value: "hello", size: "20mm" };
const square = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>').toString("base64")}`;
const image = { type: "image", width: "20mm", src: square };

/** Where the only drawing is: its distances from the left and the right edge are compared. */
async function findPlace(
  component: object,
  locale = "en-US",
): Promise<"left" | "center" | "right"> {
  const program = compileTemplate(
    accepted({ schema: [], locale, components: [component] }),
    "document",
  );
  const renderer = await sharedRenderer();
  const { bytes } = await renderer.screenshot({
    html: program
      .merge({}, OPTIONS)
      .html.replaceAll(/platen-asset-[0-9a-f]+/g, square),
    widthPx,
    type: "png",
    scale: 1,
    deadline: ample(),
  });
  const { info } = await sharp(bytes)
    .trim({ background: "#fff" })
    .toBuffer({ resolveWithObject: true });
  const left = -(info.trimOffsetLeft ?? 0);
  const right = widthPx - left - info.width;
  if (Math.abs(left - right) < 4) return "center";
  return left < right ? "left" : "right";
}

const aligned = (component: object, align: string) => ({
  ...component,
  style: { "text-align": align },
});

describe("text-align", () => {
  for (const [name, component] of Object.entries({ code, image })) {
    it(`aligns the ${name} that has it`, async () => {
      expect(await findPlace(component)).to.equal("left");
      expect(await findPlace(aligned(component, "center"))).to.equal("center");
      expect(await findPlace(aligned(component, "right"))).to.equal("right");
      expect(await findPlace(aligned(component, "end"))).to.equal("right");
      const template = "{{ 'right' if true else 'left' }}".replaceAll("'", '"');
      expect(await findPlace(aligned(component, template))).to.equal("right");
    });

    it(`aligns the ${name} in a component that has it, unless it has its own`, async () => {
      const inside = (child: object) => ({
        ...aligned({ type: "container" }, "center"),
        components: [child],
      });
      expect(await findPlace(inside(component))).to.equal("center");
      expect(await findPlace(inside(aligned(component, "right")))).to.equal(
        "right",
      );
    });
  }

  it("of a table's column aligns the codes in its cells", async () => {
    const cell = {
      type: "table-cell",
      components: [code],
      style: { border: "0" },
    };
    const table = {
      type: "table",
      columns: [{ align: "right" }],
      components: [{ type: "table-row", components: [cell] }],
    };
    expect(await findPlace(table)).to.equal("right");
  });

  it("puts codes at the end of the line in languages from right to left", async () => {
    expect(await findPlace(code, "ar-EG")).to.equal("right");
    expect(await findPlace(aligned(code, "end"), "ar-EG")).to.equal("left");
    expect(await findPlace(aligned(code, "right"), "ar-EG")).to.equal("right");
  });
});
