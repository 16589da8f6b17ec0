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

/** Code, looks and fonts that this page was loaded with. */
async function loaded(page: Page): Promise<Loaded[]> {
  const script = `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) =>
    ({ name: new URL(name).pathname, bytes: encodedBodySize }))`;
  // The script above makes these.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const all = (await page.evaluate(script)) as Loaded[];
  return all.filter(({ name }) => name.startsWith("/studio/assets/"));
}

/** What a browser gets that cannot read Brotli. */
async function gzipBytes(url: string): Promise<number> {
  const headers = { "accept-encoding": "gzip" };
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  return Number(response.headers.get("content-length"));
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}

describe("the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [locale, catalogs] of [
    ["en-GB", ["en"]],
    ["de-CH", ["de"]],
    ["fr-FR", ["fr"]],
    ["es-ES", ["es"]],
  ] as const)
    it(`loads less than 290 kB, also without Brotli, with the texts of one language: ${locale}`, async () => {
      const { page } = await openEditor(
        service,
        await signIn("owner", { width: 1280, locale }),
        [{ type: "text", text: "Hello" }],
      );
      await page.reload();
      await page.waitForSelector(".sheet");
      await page.evaluate("document.fonts.ready.then(() => null)");
      const parts = await loaded(page);
      expect(parts.some(({ name }) => name.includes("editor-page"))).to.equal(
        true,
      );
      const sizes = await Promise.all(
        parts.map(({ name }) => gzipBytes(service.url + name)),
      );
      const bytes = sum(parts.map((part) => part.bytes));
      expect(bytes, JSON.stringify(parts)).to.be.within(50_000, 260_000);
      expect(sum(sizes), JSON.stringify(sizes)).to.be.within(bytes, 290_000);
      const found = parts.flatMap(
        ({ name }) => /\/([a-z]{2})-\w+\.js$/.exec(name)?.[1] ?? [],
      );
      expect(found).to.deep.equal(catalogs);
    });
});
