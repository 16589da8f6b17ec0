import type { Page } from "puppeteer-core";

/** Left, top, right and bottom in CSS px, from the corner of the page or email. */
export type Box = readonly [number, number, number, number];

/**
 * Where all that can be seen stands: words by themselves, and what has none by its kind and its turn.
 * @param root selects the element that holds it in this drawing
 * @param kinds CSS selector by name
 */
export async function boxesIn(
  page: Page,
  root: string,
  kinds: Readonly<Record<string, string>>,
): Promise<Map<string, Box>> {
  const measure = `(async () => {
    const sheet = document.querySelector(${JSON.stringify(root)});
    // What is laid out asks for its fonts, and is laid out anew with them.
    sheet.getBoundingClientRect();
    await document.fonts.ready;
    const seen = [];
    const texts = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      seen.push([texts.currentNode.textContent.trim(), range]);
    }
    for (const [kind, selector] of Object.entries(${JSON.stringify(kinds)}))
      for (const [index, one] of sheet.querySelectorAll(selector).entries())
        seen.push([kind + " " + (index + 1), one]);
    const { x, y, width } = sheet.getBoundingClientRect();
    const zoom = width / sheet.offsetWidth;
    return seen.map(([name, one]) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      return [name, [left - x, top - y, right - x, bottom - y].map((side) => side / zoom)];
    });
  })()`;
  // What the expression above answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const found = (await page.evaluate(measure)) as [string, Box][];
  return new Map(found.filter(([name]) => name !== ""));
}

/**
 * Where production's own html shows it, in a page beside this one.
 * @param root as in `boxesIn`
 */
export async function printedBoxes(
  beside: Page,
  html: string,
  width: number,
  root: string,
  kinds: Readonly<Record<string, string>>,
): Promise<Map<string, Box>> {
  const page = await beside.browser().newPage();
  try {
    await page.setViewport({ width, height: 844 });
    await page.setContent(html);
    return await boxesIn(page, root, kinds);
  } finally {
    await page.close();
  }
}

/** What stands elsewhere by more than a px, and what is in one drawing alone. */
export function differing(
  names: readonly string[],
  one: ReadonlyMap<string, Box>,
  other: ReadonlyMap<string, Box>,
): string[] {
  return names.flatMap((name) => {
    const [here, there] = [one.get(name), other.get(name)];
    const isSame =
      here && there && here.every((side, at) => isNear(side, there[at]));
    return isSame ? [] : [`${name}: ${said(here)}, not ${said(there)}`];
  });
}

function isNear(side: number, other: number | undefined): boolean {
  return other !== undefined && Math.abs(side - other) <= 1;
}

function said(box: Box | undefined): string {
  return box?.map((side) => side.toFixed(1)).join(" ") ?? "nowhere";
}
