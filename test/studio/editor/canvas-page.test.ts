import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
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

describe("the paper in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("keeps its true size and margins at any zoom and shows the header of the chosen page", async () => {
    const editor = await signIn("viewer");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    const measured = async () => {
      // At one moment, since the page is fitted while it opens.
      const [sheet, body] = await page.$$eval(".sheet, .d-main", (all) =>
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
    await pressButton(page, "Other pages");
    await waitForText(page, "On the others");
    expect(pageErrors).to.deep.equal([]);
  });

  it("moves the body away from the shown header or footer that is taller than its margin", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, {
      ...definition,
      page: {
        size: "A4",
        firstHeader: [spacer("tall", "60mm")],
        header: [spacer("small", "10mm")],
        footer: [spacer("foot", "50mm")],
      },
    });
    const measured = async () => {
      const boxes = await page.$$eval(
        ".sheet, .at-header, .d-main, .at-footer",
        (all) =>
          all.map((one) => {
            const { y, width, height } = one.getBoundingClientRect();
            return { y, width, height };
          }),
      );
      const [sheet, header, body, footer] = boxes;
      if (!sheet || !header || !body || !footer) throw new Error("no sheet");
      const mm = (px: number) => Math.round((px / sheet.width) * 210);
      return {
        header: mm(header.height),
        body: mm(body.y - sheet.y),
        footer: mm(footer.height),
        sheet: mm(sheet.height),
      };
    };
    await waitForText(page, "Body");
    await page.waitForFunction(
      'document.querySelector(".d-main")?.offsetTop > 200',
    );
    const tall = { header: 60, body: 60, footer: 50, sheet: 297 };
    expect(await measured()).to.deep.equal(tall);
    await pressButton(page, "Other pages");
    await page.waitForFunction(
      'document.querySelector(".d-main")?.offsetTop < 100',
    );
    expect(await measured()).to.deep.equal({ ...tall, header: 20, body: 20 });
    expect(pageErrors).to.deep.equal([]);
  });
});
