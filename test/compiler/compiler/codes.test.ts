import { expect } from "chai";
import { drawPlaceholder } from "../../../core/compiler/drawing/index.js";
import { merged, rejects, renders } from "../support.js";

const barcode = (symbology: string, value: string) => [
  { type: "barcode", symbology, value },
];
const ean = barcode("ean13", "{{ root.ean }}");

describe("codes", () => {
  it("draw nothing for an empty value and report it", () => {
    renders(ean, {}, "");
    expect(merged(ean, {}).report.missing).to.have.length(1);
  });

  it("fail for a value that they cannot encode, with its path", () => {
    expect(() => merged(ean, { ean: "4006381333932" })).to.throw(
      /^\$\.components\[0\]: EAN-13 "4006381333932" has the check digit 2, but the correct one is 1\.$/,
    );
  });

  it("draw a placeholder for an invalid value on request and report it", () => {
    const options = { invalidCodes: "placeholder" } as const;
    const { html, report } = merged(ean, { ean: "12" }, options);
    const reason =
      'EAN-13 "12" has 2 digits. It needs 13, or 12 without the check digit.';
    expect(html).to.include(drawPlaceholder({ label: reason }));
    expect(report.invalidCodes).to.deep.equal([
      { component: "$.components[0]", reason },
    ]);
  });

  it("are rejected in the definition when their literal value is invalid", () => {
    rejects(barcode("ean13", "4006381333932"), "$.components[0].value", "");
    rejects(barcode("code39", "ä"), "$.components[0].value", "");
  });
});
