import { expect } from "chai";
import type { Overflow } from "../../core/rendering/index.js";
import { page } from "../support/renderer.js";
import { print } from "./jobs.js";

/** A page of 400 px with room for 300. */
const box = {
  widthPx: 400,
  heightPx: 600,
  margin: { top: 20, right: 50, bottom: 20, left: 50 },
};
const style =
  "@page { size: 400px 600px; margin: 20px 50px } body { margin: 0 }";

async function readOverflow(
  body: string,
  direction = "ltr",
): Promise<Overflow[]> {
  const html = page(body, style).replace("<html", `<html dir="${direction}"`);
  return (await print(html, { page: box })).overflow;
}

const wide = '<table style="width: 420px"><td>Two <b>words</b></td></table>';
const table = {
  element: "table",
  text: "Two words",
  widthPx: 420,
  roomPx: 300,
};

describe("content wider than the page", () => {
  for (const [place, body, direction] of [
    ["with its first words and its width", `<p>One</p><div>${wide}</div>`],
    [
      "on every page of the document",
      `<p style="height: 1500px">One</p>${wide}`,
    ],
    ["in right-to-left documents", wide, "rtl"],
  ] as const)
    it(`is reported ${place}`, async () => {
      expect(await readOverflow(body, direction)).to.deep.equal([table]);
    });

  it("is reported for text that cannot break", async () => {
    const text = "word ".repeat(100);
    const [found] = await readOverflow(
      `<p style="white-space: nowrap">${text}</p>`,
    );
    expect(found).to.include({ element: "p", text: text.slice(0, 60) });
    expect(found?.widthPx).to.be.above(1000);
  });

  it("is reported as the body in a very long document", async () => {
    const text = `<p>${"word ".repeat(1000)}</p>`;
    expect(await readOverflow(text.repeat(53) + wide)).to.deep.equal([
      { element: "body", text: "", widthPx: 420, roomPx: 300 },
    ]);
  });

  it("is not reported when everything fits, is clipped on purpose, or is fixed", async () => {
    for (const [body, direction] of [
      ['<p style="width: 300px">One</p>'],
      ["<p>One</p>", "rtl"],
      [`<div style="overflow: hidden">${wide}</div>`],
      ['<p style="position: fixed; left: 200px; width: 300px">One</p>'],
    ])
      expect(await readOverflow(body ?? "", direction)).to.deep.equal([]);
  });

  it("does not affect later documents", async () => {
    const html = page("<p>A line of text that breaks.</p>".repeat(9), style);
    const measure = async () => (await print(html, { page: box })).bytes.length;
    const before = await measure();
    for (let round = 0; round < 4; round += 1) await readOverflow(wide);
    expect(await measure()).to.equal(before);
  });
});

const image = (height: string, rest = "") =>
  `<img alt="A b" style="display: block; width: 40px; height: ${height}; ${rest}" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>">`;
const tallImage = {
  element: "img",
  text: "A b",
  widthPx: 40,
  roomPx: 300,
  heightPx: 600,
  roomHeightPx: 560,
};

describe("images and codes taller than the page", () => {
  const code =
    '<svg aria-label="QR code" style="display: block" width="40" height="600"><svg height="800"/></svg>';
  for (const [name, body, expected] of [
    ["an image", image("600px"), tallImage],
    ["a code", code, { ...tallImage, element: "svg", text: "QR code" }],
    ["an image of its own size", tallPicture(), { ...tallImage, text: "" }],
    ["an image in a long document", longText() + image("600px"), tallImage],
  ] as const)
    it(`are reported: ${name}`, async () => {
      for (const direction of ["ltr", "rtl"])
        expect(await readOverflow(body, direction)).to.deep.equal([expected]);
    });

  it("are measured against the page with the smaller margins when the first has others", async () => {
    const margin = { top: 20, right: 50, bottom: 20, left: 50 };
    const firstMargin = { ...margin, top: 0, bottom: 0 };
    const first = "@page :first { margin: 0 50px }";
    const read = async (height: string) => {
      const html = page(image(height) + "<p>One</p>", style + first);
      const job = { page: { ...box, margin, firstMargin } };
      return (await print(html, job)).overflow.length;
    };
    expect([await read("590px"), await read("610px")]).to.deep.equal([0, 1]);
  });

  it("are not reported when they fit, are clipped on purpose, or are fixed, nor are texts, rows and other pages", async () => {
    const text = "<p>One</p>".repeat(60);
    const other = "<style>@page tall { size: 400px 900px }</style>";
    for (const body of [
      text + image("560px"),
      `${text}<div style="height: 90px; overflow: hidden">${image("600px")}</div>`,
      text + image("600px", "position: fixed; top: 0"),
      `<table><td>${text}</td></table>`,
      '<div style="height: 1500px">One</div>',
      other + image("600px"),
    ])
      expect(await readOverflow(body), body.slice(-300)).to.deep.equal([]);
  });
});

function tallPicture(): string {
  return `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='600'/>">`;
}

function longText(): string {
  return `<p>${"word ".repeat(1000)}</p>`.repeat(53);
}
