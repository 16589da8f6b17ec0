import { expect } from "chai";
import { describe, it } from "mocha";
import { PdfChecks } from "../../core/assets/pdfs.js";
import { PlatenError } from "../../core/plugin-api/index.js";

const pdf = (name: string) => Buffer.from(`%PDF-1.7 ${name} %%EOF`);

/** Opens PDFs when it is told to, and records the order. */
class SlowEditor {
  readonly opened: string[] = [];
  #waiting: (() => void)[] = [];
  isFast = false;

  async check(bytes: Uint8Array): Promise<void> {
    const [, name = ""] = Buffer.from(bytes).toString().split(" ");
    this.opened.push(name);
    if (!this.isFast)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.isFast = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

describe("the checks of uploaded PDFs", () => {
  it("take organizations in turns, however many PDFs one sends", async () => {
    const editor = new SlowEditor();
    const checks = new PdfChecks(editor);
    const many = Array.from({ length: 10 }, (_, at) =>
      checks.readKind(pdf(`many${at}`), "one"),
    );
    const few = checks.readKind(pdf("few"), "other");
    await new Promise((resolve) => setImmediate(resolve));
    expect(editor.opened).to.eql(["many0"]);
    editor.release();
    await Promise.all([...many, few]);
    expect(editor.opened.indexOf("few")).to.equal(1);
    expect(editor.opened).to.have.length(11);
  });

  it("answer busy to an organization that has too many waiting, and to no other", async () => {
    const editor = new SlowEditor();
    const checks = new PdfChecks(editor);
    const codes = Array.from({ length: 30 }, () =>
      checks.readKind(pdf("x"), "one").then(
        () => "stored",
        (error: unknown) =>
          error instanceof PlatenError ? error.code : String(error),
      ),
    );
    const other = checks.readKind(pdf("other"), "other");
    editor.release();
    expect((await other).assetType).to.equal("pdf");
    const all = await Promise.all(codes);
    expect(all.filter((code) => code === "busy")).to.have.length.above(0);
    expect(all.filter((code) => code === "stored")).to.have.length.above(10);
  });
});
