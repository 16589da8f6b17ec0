import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer-core";
import { z } from "zod";

const axe = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

const run = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))`;

/** What axe finds wrong with a page, with the elements' markup. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return z.array(z.string()).parse(await page.evaluate(run));
}
