import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { blueprint } from "../../../core/templates/index.js";
import { eventually } from "../../support/eventually.js";
import { readPdf } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { type StudioUser, useStudio } from "../../support/studio.js";

/** Blueprints with the lists of their sample that are made long, and the field that tells their elements apart. */
const LONG: readonly [id: string, lists: Record<string, [string, number]>][] = [
  ["invoice", { lines: ["description", 60] }],
  ["report", { routes: ["name", 40], months: ["month", 55] }],
  ["statement", { transactions: ["description", 90] }],
];

const samples = z.record(z.string(), z.json());
const rows = z.array(samples);
const textsOfPages = z.array(z.array(z.string()));

/** A blueprint whose lists repeat the elements of its sample, each with a name of its own. */
function lengthen(
  id: string,
  lists: Record<string, [string, number]>,
): ProjectData {
  const { definition } = structuredClone(blueprint(id));
  const sample = samples.parse(definition.sample);
  for (const [name, [field, count]] of Object.entries(lists)) {
    const list = rows.parse(sample[name]);
    sample[name] = Array.from({ length: count }, (_none, index) => ({
      ...list[index % list.length],
      [field]: `${field} ${index + 1}.`,
    }));
  }
  return { ...definition, sample };
}

/** The text of each row, heading and paragraph of the body, by the page on which it begins. */
async function readCanvas(page: Page): Promise<string[][]> {
  const found = await page.evaluate(`(() => {
    const papers = [...document.querySelectorAll(".page-sheet")]
      .map((one) => one.getBoundingClientRect());
    const pages = papers.map(() => []);
    const blocks = document.querySelectorAll(
      ".d-main :is(tr, h1, h2, h3, p):not(.aside)");
    for (const one of blocks) {
      if (one.parentElement.closest("tr")) continue;
      const [box] = one.getClientRects();
      const copy = one.cloneNode(true);
      for (const words of copy.querySelectorAll(".hidden-text")) words.remove();
      const text = copy.textContent.replace(/\\s/g, "");
      if (!box || text === "") continue;
      const at = papers.findIndex((paper) =>
        box.left >= paper.left && box.left <= paper.right &&
        box.top >= paper.top && box.top <= paper.bottom);
      (pages[at] ??= []).push(text);
    }
    return pages;
  })()`);
  return textsOfPages.parse(found);
}

async function printDraft(
  { page }: StudioUser,
  definition: ProjectData,
): Promise<string[]> {
  const bytes = await page.evaluate(
    async (body) => {
      const response = await fetch("/studio/api/drafts/print", {
        method: "POST",
        headers: {
          "x-platen-app": "studio",
          "content-type": "application/json",
        },
        body,
      });
      return [...new Uint8Array(await response.arrayBuffer())];
    },
    JSON.stringify({ templateType: "document", definition }),
  );
  const pages = await readPdf(Uint8Array.from(bytes));
  return pages.map(({ text }) => text.replaceAll(/\s/g, ""));
}

describe("the pages on the canvas", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [id, lists] of LONG)
    it(`break where the print breaks: ${id}`, async () => {
      const editor = await signIn("editor", { width: 1440 });
      const definition = lengthen(id, lists);
      const { page, pageErrors } = await openEditor(
        service,
        editor,
        definition,
      );
      const printed = await printDraft(editor, definition);
      expect(printed.length).to.be.greaterThan(2);
      await eventually(
        async () => (await readCanvas(page)).length === printed.length,
      );
      const drawn = await readCanvas(page);
      expect(drawn.flat().length).to.be.greaterThan(60);
      const strays = drawn.map((texts, index) =>
        texts.filter((text) => !printed[index]?.includes(text)),
      );
      expect(strays).to.deep.equal(printed.map(() => []));
      expect(pageErrors).to.deep.equal([]);
    });
});
