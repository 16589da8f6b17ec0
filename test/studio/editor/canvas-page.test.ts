import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, waitForText, useStudio } from "../../support/studio.js";

const definition: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  page: {
    size: "A5",
    landscape: true,
    margin: { top: "30mm", left: "25mm" },
    header: [{ type: "text", id: "others", text: "On the others" }],
    firstHeader: [{ type: "text", id: "first", text: "On the first" }],
  },
  components: [{ type: "text", id: "body", text: "Body" }],
};
const pxPerMm = 96 / 25.4;

function spacer(id: string, height: string) {
  return { type: "spacer", id, height } as const;
}

function boxesOf(page: Page, selector: string) {
  return page.$$eval(selector, (all) =>
    all.map((one) => {
      const { y, width, height } = one.getBoundingClientRect();
      return { y, width, height };
    }),
  );
}

describe("the paper in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("keeps its true size and margins at any zoom, with the headers of the first page and of others", async () => {
    const editor = await signIn("viewer");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    const measured = async () => {
      // At one moment, since the page is fitted while it opens.
      const [sheet, , body] = await page.$$eval(".page-sheet, .d-main", (all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return { x, y, width, height };
        }),
      );
      if (!sheet || !body) throw new Error("there is no sheet");
      const zoom = sheet.width / (210 * pxPerMm);
      const mm = (px: number) => Math.round(px / zoom / pxPerMm);
      return {
        zoom: Math.round(zoom * 100),
        height: mm(sheet.height),
        left: mm(body.x - sheet.x),
        top: mm(body.y - sheet.y),
      };
    };
    const paper = { height: 148, left: 25, top: 30 };
    await waitForText(page, "On the first");
    const { zoom: fitting, ...fitted } = await measured();
    expect(fitted).to.deep.equal(paper);
    await page.waitForSelector(`.zoom-now[aria-label^="${fitting}%"]`);
    await page.click(".zoom-now");
    await page.waitForSelector('.zoom-now[aria-label^="100%"]');
    expect(await measured()).to.deep.equal({ zoom: 100, ...paper });
    await pressButton(page, "Zoom in");
    await page.waitForSelector('.zoom-now[aria-label^="125%"]');
    expect(await measured()).to.deep.equal({ zoom: 125, ...paper });
    await page.reload();
    await page.waitForSelector('.zoom-now[aria-label^="125%"]');
    const onPages = await page.$$eval(".page-sheet, [data-type=text]", (all) =>
      all.map((one) => ({
        id: one.getAttribute("data-id"),
        y: one.getBoundingClientRect().y,
      })),
    );
    const tops = onPages.filter(({ id }) => id === null).map(({ y }) => y);
    const pageOf = (id: string) =>
      tops.filter(
        (y) => y < (onPages.find((one) => one.id === id)?.y ?? Number.NaN),
      ).length;
    expect([pageOf("first"), pageOf("body"), pageOf("others")]).to.deep.equal([
      1, 1, 2,
    ]);
    expect(pageErrors).to.deep.equal([]);
  });

  it("moves the body of each page away from a header or footer that is taller than its margin", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, {
      ...definition,
      page: {
        size: "A4",
        firstHeader: [spacer("tall", "60mm")],
        header: [spacer("small", "10mm")],
        footer: [spacer("foot", "50mm")],
      },
      components: [
        { type: "text", id: "body", text: "Body" },
        { type: "page-break", id: "break" },
        { type: "text", id: "more", text: "Body" },
      ],
    });
    const measured = async () => {
      const papers = await boxesOf(page, ".page-sheet");
      const headers = await boxesOf(page, ".at-header");
      const bodies = await boxesOf(page, '[data-type="text"]');
      const footers = await boxesOf(page, ".at-footer");
      const mm = (px: number) =>
        Math.round((px / (papers[0]?.width ?? 0)) * 210);
      return papers.map(({ y, height }, index) => ({
        header: mm(headers[index]?.height ?? 0),
        body: mm((bodies[index]?.y ?? 0) - y),
        footer: mm(footers[index]?.height ?? 0),
        sheet: mm(height),
      }));
    };
    await waitForText(page, "Body");
    const tall = { header: 60, body: 60, footer: 50, sheet: 297 };
    const expected = [tall, { ...tall, header: 20, body: 20 }];
    await eventually(
      async () => JSON.stringify(await measured()) === JSON.stringify(expected),
    );
    expect(pageErrors).to.deep.equal([]);
  });
});
