import { expect } from "chai";
import { inlineAssets } from "../../core/compiler/index.js";
import { merged } from "../compiler/support.js";
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
  const { at, height } = await readPixels(
    (await shoot(html, { widthPx })).bytes,
  );
  const places: Place[] = [];
  let lastDrawn = -Infinity;
  for (let y = 0; y < height; y += 1) {
    const isDrawn = (x: number) => at(x, y).some((part) => part < 200);
    const columns = Array.from({ length: widthPx }, (_, x) => x);
    const left = columns.findIndex(isDrawn);
    if (left < 0) continue;
    const right = widthPx - 1 - columns.findLastIndex(isDrawn);
    const side = left < right ? "left" : "right";
    if (y - lastDrawn > 20)
      places.push(Math.abs(left - right) < 4 ? "center" : side);
    lastDrawn = y;
  }
  return places;
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
