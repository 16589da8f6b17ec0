import { expect } from "chai";
import { merged, rejects, renders } from "../support.js";

const barcode = (symbology: string, value: string) => [
  { type: "barcode", symbology, value },
];
const ean = barcode("ean13", "{{ root.ean }}");

describe("codes", () => {
  it("are drawn as SVG in the specified size", () => {
    const { html } = merged(
      [{ type: "qrcode", value: "{{ root.v }}", size: "30mm" }],
      { v: "x" },
    );
    expect(html).to.match(
      /<div class="code" style="width:30mm;height:30mm"><svg [^>]*>/,
    );
    expect(merged(ean, { ean: "4006381333931" }).html).to.include("<svg");
  });

  it("draw nothing for an empty value and report it", () => {
    renders(ean, {}, "");
    expect(merged(ean, {}).report.missing).to.have.length(1);
  });

  it("fail for a value that they cannot encode, with its path", () => {
    expect(() => merged(ean, { ean: "4006381333932" })).to.throw(
      /^\$\.components\[0\]: /,
    );
  });

  it("draw a placeholder for an invalid value on request and report it", () => {
    const options = { invalidCodes: "placeholder" } as const;
    const { html, report } = merged(ean, { ean: "12" }, options);
    expect(html).to.include("<svg");
    expect(report.invalidCodes[0]?.component).to.equal("$.components[0]");
  });

  it("are rejected in the definition when their literal value is invalid", () => {
    rejects(barcode("ean13", "4006381333932"), "$.components[0].value", "");
    rejects(barcode("code39", "ä"), "$.components[0].value", "");
  });
});
