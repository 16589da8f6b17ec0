import { expect } from "chai";
import { describe, it } from "mocha";
import { pdfText } from "../support/read-pdf.js";
import { ample, page, sharedRenderer } from "../support/renderer.js";

const line = "Total (VAT) 1,234,567.89 at 08:30, A-17 × 2, +41 – it’s ready";

describe("the text of a PDF", () => {
  for (const family of ["Inter", "Source Serif 4", "JetBrains Mono"])
    it(`contains every digit and sign of ${family}, tabular or not`, async () => {
      const html = page(
        `<p>${line}</p><p style="font-variant-numeric:tabular-nums lining-nums">${line}</p>`,
        `p{font:12px "${family}"}`,
      );
      const renderer = await sharedRenderer();
      const { bytes } = await renderer.pdf({ html, deadline: ample() });
      const read = (await pdfText(bytes)).replaceAll(/\s/g, "");
      expect(read).to.equal((line + line).replaceAll(/\s/g, ""));
    });
});
