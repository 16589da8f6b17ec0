import pLimit, { type LimitFunction } from "p-limit";
import { Deadline, PlatenError } from "../plugin-api/index.js";
import type { PdfEditor } from "../rendering/pdf/index.js";
import type { AssetKind } from "./asset-kind.js";

/** Opening the largest PDFs takes about a second; one that takes longer was made to. */
const maxMs = 10_000;
const maxWaiting = 16;

/** Some programs write a little data after the end mark. */
const tailBytes = 4096;

/**
 * Opens uploaded PDFs in the thread that edits PDFs, before they are stored. One at a time, so that documents that need
 * the thread wait for at most one, and the organizations take turns.
 */
export class PdfChecks {
  readonly #thread = pLimit(1);
  readonly #turns = new Map<string, LimitFunction>();

  constructor(private readonly editor: Pick<PdfEditor, "check">) {}

  /** @throws PlatenError `invalid_request` for a PDF that cannot be opened, `too_large`, `busy` or `timeout`. */
  async readKind(bytes: Buffer, organizationId: string): Promise<AssetKind> {
    if (!bytes.subarray(-tailBytes).includes("%%EOF"))
      throw new PlatenError(
        "invalid_request",
        "The PDF is incomplete: its end mark (%%EOF) is missing. Send the complete file.",
      );
    const turns = this.#turns.get(organizationId) ?? pLimit(1);
    if (turns.pendingCount >= maxWaiting)
      throw new PlatenError(
        "busy",
        "Too many PDFs of the organization are waiting to be checked. Try again in a moment.",
        { retryAfterSeconds: 5 },
      );
    this.#turns.set(organizationId, turns);
    try {
      await turns(() =>
        this.#thread(() => this.editor.check(bytes, Deadline.after(maxMs))),
      );
    } finally {
      if (turns.activeCount + turns.pendingCount === 0)
        this.#turns.delete(organizationId);
    }
    return {
      assetType: "pdf",
      mimeType: "application/pdf",
      extension: "pdf",
      width: null,
      height: null,
      details: null,
    };
  }
}
