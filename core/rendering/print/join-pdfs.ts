import { withinDeadline } from "../../lib/race-with-abort.js";
import { Thread } from "../../lib/threads.js";
import { type Deadline, PlatenError } from "../../plugin-api/index.js";
import type { PrintedPdf } from "../jobs.js";
import type { JoinRequest } from "./join-pages.js";

/** Runs `joinPieces` in a worker thread. @throws PlatenError `timeout` or `render_failed`. */
export async function joinInThread(
  request: JoinRequest,
  deadline: Deadline,
): Promise<Buffer> {
  const thread = new Thread("./join-worker", import.meta.url);
  try {
    const joined = thread.ask<Uint8Array>(request);
    const doing = "its pieces were joined";
    const bytes = await withinDeadline(joined, deadline, doing);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError(
      "render_failed",
      "The pieces of this long document could not be joined. Try again; if it happens again, send fewer rows.",
      { cause },
    );
  } finally {
    await thread.end();
  }
}

/** More pages take long enough to delay other requests. */
const MAX_PAGES_INLINE = 20;

/**
 * Overlays each page of `strips` on the same page of the body. Both are written by Chromium or joined from its PDFs.
 * @throws PlatenError `render_failed` when the page counts differ, since page numbers would be wrong.
 */
export async function overlayStrips(
  { bytes, pages }: Pick<PrintedPdf, "bytes" | "pages">,
  { bytes: over, pages: layers }: Pick<PrintedPdf, "bytes" | "pages">,
  deadline: Deadline,
): Promise<Buffer> {
  if (layers !== pages)
    throw new PlatenError(
      "render_failed",
      `The headers and footers take ${layers} pages for a document of ${pages}: ` +
        "one of them is higher than its margin. Reduce its height, or increase the margin.",
    );
  const pieces = [{ bytes, start: 0, end: pages }];
  const request = { pieces, over };
  if (pages > MAX_PAGES_INLINE) return joinInThread(request, deadline);
  // Loaded by the first document that needs it, since it loads slowly.
  const { joinPieces } = await import("./join-pages.js");
  return Buffer.from(await joinPieces(request));
}
