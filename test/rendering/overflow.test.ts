import { expect } from "chai";
import type { Overflow } from "../../core/rendering/index.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

/** A page of 400 px with room for 300. */
const box = {
  widthPx: 400,
  heightPx: 600,
  margin: { top: 20, right: 50, bottom: 20, left: 50 },
};
const style =
  "@page { size: 400px 600px; margin: 20px 50px } body { margin: 0 }";

async function overflow(body: string, direction = "ltr"): Promise<Overflow[]> {
  const renderer = await sharedRenderer();
  const html = page(body, style).replace("<html", `<html dir="${direction}"`);
  const job = { html, page: box, deadline: ample() };
  return (await renderer.pdf(job)).overflow;
}

const wide = '<table style="width: 420px"><td>Two <b>words</b></td></table>';
const expectedOverflow = { text: "Two words", widthPx: 420, roomPx: 300 };

describe("content wider than the page", () => {
  it("is reported with its first words and its width", async () => {
    const found = await overflow(`<p>One</p><div>${wide}</div>`);
    expect(found).to.deep.equal([{ element: "table", ...expectedOverflow }]);
  });

  it("is reported on every page of the document", async () => {
    const found = await overflow(`<p style="height: 1500px">One</p>${wide}`);
    expect(found).to.deep.equal([{ element: "table", ...expectedOverflow }]);
  });

  it("is reported in right-to-left documents", async () => {
    expect(await overflow(wide, "rtl")).to.deep.equal([
      { element: "table", ...expectedOverflow },
    ]);
    expect(await overflow("<p>One</p>", "rtl")).to.deep.equal([]);
  });

  it("is reported for text that cannot break", async () => {
    const text = "word ".repeat(100);
    const [found] = await overflow(
      `<p style="white-space: nowrap">${text}</p>`,
    );
    expect(found).to.include({ element: "p", text: text.slice(0, 60) });
    expect(found?.widthPx).to.be.above(1000);
  });

  it("is reported as the body in a very long document", async () => {
    const text = `<p>${"word ".repeat(1000)}</p>`;
    const found = await overflow(text.repeat(53) + wide);
    expect(found).to.deep.equal([
      { element: "body", text: "", widthPx: 420, roomPx: 300 },
    ]);
  });

  it("is not reported when everything fits, is clipped on purpose, or is fixed", async () => {
    const bodies = [
      '<p style="width: 300px">One</p>',
      `<div style="overflow: hidden">${wide}</div>`,
      '<p style="position: fixed; left: 200px; width: 300px">One</p>',
    ];
    for (const body of bodies) expect(await overflow(body)).to.deep.equal([]);
  });

  it("does not affect later documents", async () => {
    const renderer = await sharedRenderer();
    const html = page("<p>A line of text that breaks.</p>".repeat(9), style);
    const print = async () =>
      (await renderer.pdf({ html, page: box, deadline: ample() })).bytes.length;
    const before = await print();
    for (let round = 0; round < 4; round += 1) await overflow(wide);
    expect(await print()).to.equal(before);
  });
});
