import { PlatenError } from "../../../plugin-api/index.js";
import type { SealedPage } from "../../page/sealed-page.js";
import type { Heads } from "./choose-cut.js";
import { CUT_SCRIPT } from "./cut-script.js";

/** What the names of atoms begin with, in the document and in its PDF. */
export const ATOM_NAMES = "platen-piece-";

interface CutFacts {
  /** How many atoms there are. */
  atoms: number;
  /** Of all of it on one endless page, in CSS px. */
  heightPx: number;
  /** How wide it is when that is more than the page has room for, else 0. */
  overflowPx: number;
}

/** A document that is written into a page and shown there piece by piece. */
export class CutDocument {
  private constructor(
    private readonly page: SealedPage,
    private readonly handle: string,
    readonly facts: CutFacts,
  ) {}

  /** Cuts the document that was written into `page`. @param roomPx between its margins, in whole CSS px */
  static async cut(page: SealedPage, roomPx: number): Promise<CutDocument> {
    await page.setWindow(roomPx);
    const { result, exceptionDetails } = await page.send("Runtime.evaluate", {
      expression: `(${CUT_SCRIPT})(${roomPx}, ${JSON.stringify(ATOM_NAMES)})`,
    });
    if (exceptionDetails || result.objectId === undefined)
      throw cutError(exceptionDetails);
    const facts = await call<CutFacts>(page, result.objectId, "facts");
    return new CutDocument(page, result.objectId, facts);
  }

  /**
   * Shows the atoms from number `from` on, about `heightPx` of them.
   * @param isFlush without the margin above the first
   * @returns what is known of them, and the number of the atom after them
   */
  show(
    from: number,
    heightPx: number,
    isFlush: boolean,
  ): Promise<Heads & { to: number }> {
    return call(this.page, this.handle, "show", from, heightPx, isFlush);
  }

  /** Before the first piece is shown; until then all of it is, with its columns as wide as they were. */
  async begin(): Promise<void> {
    await call(this.page, this.handle, "begin");
  }

  /** Shows as many sheets with nothing on them but their headers, footers and background; for good. */
  async showSheets(count: number): Promise<void> {
    await call(this.page, this.handle, "showSheets", count);
  }

  /** To be called when nothing more of it is printed: the page would keep all of it in memory. */
  async release(): Promise<void> {
    await this.page.send("Runtime.releaseObject", { objectId: this.handle });
    await this.page.send("HeapProfiler.collectGarbage");
  }
}

async function call<T>(
  page: SealedPage,
  objectId: string,
  method: string,
  ...values: (number | boolean)[]
): Promise<T> {
  const { result, exceptionDetails } = await page.send(
    "Runtime.callFunctionOn",
    {
      objectId,
      functionDeclaration: `function (...values) { return this.${method}(...values); }`,
      arguments: values.map((value) => ({ value })),
      returnByValue: true,
    },
  );
  if (exceptionDetails) throw cutError(exceptionDetails);
  return result.value;
}

function cutError(cause: unknown): PlatenError {
  return new PlatenError(
    "render_failed",
    "This long document could not be cut into pieces. Try again with fewer rows.",
    { cause },
  );
}
