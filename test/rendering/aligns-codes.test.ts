import { expect } from "chai";
import { inlineAssets } from "../../core/compiler/index.js";
import { merged, mergedEmail } from "../compiler/support.js";
import { readPixels, shoot } from "./jobs.js";

const widthPx = 600;

const code = { type: "qrcode", value: "hello", size: "20mm" };
const square = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>').toString("base64")}`;
const image = { type: "image", width: "20mm", src: square };

type Place = "left" | "center" | "right";

/** Draws components one below the other. @returns where each drawing is, by its distances from the edges */
async function findPlaces(
  drawings: readonly object[],
  locale: string,
): Promise<Place[]> {
  const spacer = { type: "spacer", height: "20mm" };
  const components = drawings.flatMap((one) => [one, spacer]);
  const html = inlineAssets(merged({ locale, components }), new Map());
  return (await findDrawings(html)).map(({ left, right }) => {
    const side = left < right ? "left" : "right";
    return Math.abs(left - right) < 4 ? "center" : side;
  });
}

/** The distances of dark drawings from the edges, from top to bottom. */
async function findDrawings(html: string) {
  const { at, height } = await readPixels(
    (await shoot(html, { widthPx })).bytes,
  );
  const drawings: { left: number; right: number }[] = [];
  let lastDrawn = -Infinity;
  for (let y = 0; y < height; y += 1) {
    const isDrawn = (x: number) => at(x, y).some((part) => part < 200);
    const columns = Array.from({ length: widthPx }, (_, x) => x);
    const left = columns.findIndex(isDrawn);
    if (left < 0) continue;
    const right = widthPx - 1 - columns.findLastIndex(isDrawn);
    if (y - lastDrawn > 20) drawings.push({ left, right });
    lastDrawn = y;
  }
  return drawings;
}

const aligned = (component: object, align: string) => ({
  ...component,
  style: { "text-align": align },
});

const inCenter = (component: object) => ({
  ...aligned({ type: "container" }, "center"),
  components: [component],
});

const cell = { type: "table-cell", components: [code], style: { border: "0" } };
const table = {
  type: "table",
  columns: [{ align: "right" }],
  components: [{ type: "table-row", components: [cell] }],
};

type Case = [name: string, component: object, place: Place];

const fromLeftToRight = Object.entries({ code, image }).flatMap(
  ([name, one]): Case[] => [
    [`the ${name} without one`, one, "left"],
    [`the ${name} with center`, aligned(one, "center"), "center"],
    [`the ${name} with right`, aligned(one, "right"), "right"],
    [`the ${name} with end`, aligned(one, "end"), "right"],
    [
      `the ${name} with an expression`,
      aligned(one, '{{ "right" if true else "left" }}'),
      "right",
    ],
    [`the ${name} in a component that has it`, inCenter(one), "center"],
    [
      `the ${name} with its own in a component that has it`,
      inCenter(aligned(one, "right")),
      "right",
    ],
  ],
);

describe("text-align", () => {
  for (const [locale, cases] of Object.entries({
    "en-US": [
      ...fromLeftToRight,
      ["the code in a table's column that has it", table, "right"] as Case,
    ],
    "ar-EG": [
      ["the code without one", code, "right"],
      ["the code with end", aligned(code, "end"), "left"],
      ["the code with right", aligned(code, "right"), "right"],
    ] as Case[],
  }))
    it(`aligns codes and images in ${locale}`, async () => {
      const places = await findPlaces(
        cases.map(([, component]) => component),
        locale,
      );
      expect(cases.map(([name], index) => [name, places[index]])).to.deep.equal(
        cases.map(([name, , place]) => [name, place]),
      );
    });
});

const drawing = (width: number) =>
  `data:image/svg+xml;base64,${Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="10" viewBox="0 0 ${width} 10"><rect width="${width}" height="10"/></svg>`).toString("base64")}`;

const inset = (component: object, padding: string) => ({
  type: "section",
  components: [{ type: "column", style: { padding }, components: [component] }],
});

describe("the images of an email", () => {
  const small = { type: "image", src: drawing(40) };
  const large = { type: "image", src: drawing(1200) };
  const images: readonly [string, object, left: number, width: number][] = [
    ["small", small, 0, 40],
    ["small and a link", { ...small, href: "https://a.example" }, 0, 40],
    ["small in the center", aligned(small, "center"), 280, 40],
    ["small on the right", aligned(small, "right"), 560, 40],
    ["small and twice as high", { ...small, height: "20px" }, 0, 80],
    ["small with a width", { ...small, width: "50%" }, 0, 300],
    ["large", large, 0, 600],
    ["large with padding", { ...large, style: { padding: "0 24px" } }, 24, 552],
    ["small in a padded column", inset(small, "0 50px"), 50, 40],
    ["large in a padded column", inset(large, "0 50px"), 50, 500],
    [
      "half as wide as a padded column",
      inset({ ...small, width: "50%" }, "0 50px"),
      50,
      250,
    ],
  ];

  it("have their own width, and at most that of their column", async () => {
    const components = images.flatMap(([, component]) => [
      component,
      { type: "spacer", height: "40px" },
    ]);
    const { html } = mergedEmail({ email: { subject: "A" }, components });
    const drawings = await findDrawings(html);
    expect(drawings).to.have.length(images.length);
    for (const [index, [name, , left, width]] of images.entries()) {
      const place = drawings[index];
      const right = widthPx - left - width;
      expect(place?.left, name).to.equal(left);
      // The edge of a drawing that is scaled down may be gray.
      expect(place?.right, name).to.be.within(right, right + 1);
    }
    // Outlook on Windows takes only the attribute.
    const widths = html.matchAll(/ width="(\d+)" style="display:block/g);
    expect(Array.from(widths, ([, width]) => Number(width))).to.eql([
      600, 600, 600, 600, 600, 600, 552, 500, 500,
    ]);
  });
});
