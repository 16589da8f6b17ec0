import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

interface Loaded {
  name: string;
  /** As the browser got it: with Brotli. */
  bytes: number;
}

/** Code, styles and fonts that this page was loaded with. */
async function getLoaded(page: Page): Promise<Loaded[]> {
  const script = `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) =>
    ({ name: new URL(name).pathname, bytes: encodedBodySize }))`;
  // The script above makes these.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const all = (await page.evaluate(script)) as Loaded[];
  return all.filter(({ name }) => name.startsWith("/studio/assets/"));
}

/** What a browser gets that cannot read Brotli. */
async function getGzipBytes(url: string): Promise<number> {
  const headers = { "accept-encoding": "gzip" };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get("content-length"));
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}

/** Runs in the page: how many sizes the buttons of the palette have, and whose words are cut or leave the button. */
const measurePalette = `(() => {
  const items = [...document.querySelectorAll(".palette-item")];
  const count = (side) =>
    new Set(items.map((one) => Math.round(one.getBoundingClientRect()[side]))).size;
  const isClipped = (item) => {
    const box = item.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(item);
    const words = range.getBoundingClientRect();
    return words.left < box.left + 1 || words.right > box.right - 1 ||
      words.top < box.top + 1 || words.bottom > box.bottom - 1;
  };
  return {
    widths: count("width"),
    heights: count("height"),
    clipped: items.filter(isClipped).map((one) => one.textContent),
  };
})()`;

describe("the editor in each language", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [locale, language, bold] of [
    ["en-GB", "en", "Bold (Ctrl+B)"],
    ["de-CH", "de", "Fett (Strg+B)"],
    ["fr-FR", "fr", "Gras (Ctrl+B)"],
    ["es-ES", "es", "Negrita (Ctrl+B)"],
  ] as const)
    it(`loads less than 290 kB, also without Brotli, names keys, and shows whole words in an even palette: ${locale}`, async () => {
      const user = await signIn("editor", { width: 1280, locale });
      const { page, pageErrors } = user;
      for (const type of ["email", "document"] as const) {
        const email = type === "email" && { email: { subject: "Hello" } };
        const text = { type: "text", id: "one", text: "Hello" } as const;
        const definition = { schema: [], components: [text], ...email };
        await openEditor(service, user, definition, type);
        for (const width of [1280, 1440]) {
          await page.setViewport({ width, height: 900 });
          expect(await page.evaluate(measurePalette)).to.deep.equal({
            widths: 1,
            heights: 1,
            clipped: [],
          });
        }
      }
      await page.waitForSelector(`.text-bar [aria-label="${bold}"]`);
      await page.reload();
      await page.waitForSelector(".sheet");
      await page.evaluate("document.fonts.ready.then(() => null)");
      const parts = await getLoaded(page);
      const names = parts.map(({ name }) => name);
      expect(names.join()).to.include("editor-page");
      const sizes = await Promise.all(
        names.map((name) => getGzipBytes(service.url + name)),
      );
      const bytes = sum(parts.map((part) => part.bytes));
      expect(bytes, JSON.stringify(parts)).to.be.within(50_000, 260_000);
      expect(sum(sizes), JSON.stringify(sizes)).to.be.within(bytes, 290_000);
      const catalogs = names.flatMap(
        (name) => /\/([a-z]{2})-\w+\.js$/.exec(name)?.[1] ?? [],
      );
      expect(catalogs).to.deep.equal([language]);
      expect(pageErrors).to.deep.equal([]);
    });
});
