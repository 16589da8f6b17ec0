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
