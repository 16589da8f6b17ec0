import { expect } from "chai";
import { describe, it } from "mocha";
import { ofPdf, usePdfs } from "../../support/read-pdf.js";

const megabyte = 1024 * 1024;

describe("the files that are joined and attached to a PDF", () => {
  const { rejection } = usePdfs({ maxBodyBytes: 100 * megabyte });

  it("are limited to 50 MB in total", async () => {
    const base64 = Buffer.alloc(26 * megabyte).toString("base64");
    const zip = { name: "a.zip", mimeType: "application/zip", base64 };
    const pdf = { after: [{ base64 }], attachments: [zip] };
    expect(await rejection({}, ofPdf(pdf))).to.match(
      /larger than 52428800 bytes with \$\.renderOptions\.pdf\.attachments\[0\]/,
    );
  });
});
