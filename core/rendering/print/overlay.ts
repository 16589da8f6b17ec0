import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import { joinInThread } from "./join/join-in-thread.js";
import { countPages } from "./pdf-facts.js";

/** To lay over more takes long enough for others to notice. */
const PAGES_HERE = 20;

/**
 * Lays each page of `strips` over the same page of `body`, which has `pages`. Both are as Chromium writes them, or as
 * they were joined.
 * @throws PlatenError `render_failed` when there are not as many strips, since page numbers would be wrong.
 */
export async function layOver(
  { bytes, pages }: { bytes: Buffer; pages: number },
  strips: Buffer,
  deadline: Deadline,
): Promise<Buffer> {
  const layers = countPages(strips);
  if (layers !== pages)
    throw new PlatenError(
      "render_failed",
      `The headers and footers take ${layers} pages for a document of ${pages}: ` +
        "one of them is higher than its margin. Make it smaller, or the margin larger.",
    );
  const pieces = [{ bytes, start: 0, end: pages }];
  const request = { pieces, over: strips };
  if (pages > PAGES_HERE) return joinInThread(request, deadline);
  // Loaded by the first document that needs it: it takes long to load.
  const { joinPieces } = await import("./join/join-pieces.js");
  return Buffer.from(await joinPieces(request));
}
