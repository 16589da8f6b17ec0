import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { PlatenError } from "../../plugin-api/index.js";
import type { IsolatedPage } from "../page-pool.js";
import type { PdfJob } from "../jobs.js";

/**
 * Loads a document; loads it again with larger margins when one of its headers or footers is taller than its margin.
 * @returns the job of the loaded document
 */
export async function loadFitted(
  page: IsolatedPage,
  job: PdfJob,
): Promise<PdfJob> {
  const { headers, html } = job;
  if (!headers) {
    await page.write(html);
    return job;
  }
  // The elements of an overlay are printed themselves; otherwise their content is printed in an element of an image.
  const isOverlay = job.overlay !== undefined;
  const hidden = headers.html();
  const key = hashFrame(html, `${hidden} ${headers.widthPx} ${isOverlay}`);
  const cached = knownHeights.get(key);
  if (cached) {
    const fitted = await headers.fit(cached);
    await page.write(fitted?.html ?? html);
    return { ...job, ...fitted };
  }
  await page.setWindow(Math.ceil(headers.widthPx));
  await page.write(insertAtEnd(html, hidden));
  const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
    expression: `(${MEASURE_SCRIPT})(${headers.widthPx}, ${isOverlay})`,
    returnByValue: true,
  });
  if (exceptionDetails || !isNumbers(result.value))
    throw new PlatenError(
      "render_failed",
      "The headers and footers could not be measured. Try again.",
      { cause: exceptionDetails },
    );
  knownHeights.set(key, result.value);
  const fitted = await headers.fit(result.value);
  if (fitted === null) return job;
  await page.write(fitted.html);
  return { ...job, ...fitted };
}

/** Measuring takes a layout of the whole document, and most documents of a template have the same headers. */
const knownHeights = new LRUCache<string, number[]>({ max: 1000 });

/** Identifies all of a document but its body and title, on which the heights of its headers do not depend. */
function hashFrame(html: string, rest: string): string {
  const title = html.indexOf("<title>");
  const style = html.indexOf("</title>");
  const body = html.indexOf("<main>");
  const end = html.lastIndexOf("</main>");
  return createHash("sha256")
    .update(html.slice(0, title))
    .update(html.slice(style, body))
    .update(html.slice(end))
    .update(rest)
    .digest("base64");
}

function insertAtEnd(html: string, markup: string): string {
  const end = html.lastIndexOf("</body>");
  return end < 0 || markup === ""
    ? html
    : html.slice(0, end) + markup + html.slice(end);
}

function isNumbers(value: unknown): value is number[] {
  return (
    Array.isArray(value) && value.every((item) => typeof item === "number")
  );
}

/**
 * Runs in the page: `(width, isOverlay) => heights`. Everything is then as it was. Boxes that are positioned absolutely
 * leave the layout of the body as it is; to hide the body meanwhile takes longer.
 */
const MEASURE_SCRIPT = `(width, isOverlay) => {
  // Elements with names hide what the document itself has under them.
  const find = (selector) => Array.from(Document.prototype.querySelectorAll.call(document, selector));
  const make = Document.prototype.createElement.bind(document);
  const bands = find("header.band, footer.band");
  const boxes = bands.map((band) => {
    const box = make(isOverlay ? band.localName : "div");
    box.className = "band";
    box.style.cssText = "display:flex!important;position:absolute;top:0;left:0;width:" + width + "px";
    box.append(...band.childNodes);
    return box;
  });
  Reflect.get(Document.prototype, "body", document).append(...boxes);
  const heights = boxes.map((box) => box.getBoundingClientRect().height);
  boxes.forEach((box, index) => {
    bands[index].append(...box.childNodes);
    box.remove();
  });
  return heights;
}`;
