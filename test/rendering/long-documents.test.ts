import { expect } from "chai";
import { longTable } from "../support/large-documents.js";
import { ample, page, startRenderer } from "../support/renderer.js";

describe("a long document", () => {
  it("does not delay short documents, even with one page", async () => {
    const renderer = await startRenderer({ pages: 1 });
    const done: string[] = [];
    const long = renderer
      .pdf({ html: longTable(8_000), deadline: ample() })
      .then(() => done.push("long"));
    await renderer.pdf({ html: page("short"), deadline: ample() });
    done.push("short");
    await long;
    expect(done).to.deep.equal(["short", "long"]);
    await renderer.stop();
  });

  it("past the limit is rejected with an error that names the setting", async () => {
    const renderer = await startRenderer({ pages: 1, maxPrintBytes: 100_000 });
    const error: unknown = await renderer
      .pdf({ html: longTable(100_000), deadline: ample() })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property("code", "too_large");
    expect(error)
      .to.have.property("message")
      .that.includes("PLATEN_MAX_PRINT_BYTES");
    const job = { html: page("x"), deadline: ample() };
    expect(await renderer.pdf(job)).to.have.property("pages", 1);
    await renderer.stop();
  });
});
