import { expect } from "chai";
import { merged } from "../support.js";

const fields = [
  {
    type: "sign-field",
    field: "signature",
    name: "sign",
    submitter: "{{ root.role }}",
    required: true,
  },
  {
    type: "sign-field",
    field: "select",
    name: "choice",
    submitter: "Client",
    options: ["a", "b"],
    width: "20mm",
  },
];

describe("sign fields", () => {
  it("are boxes of their size, listed in order", () => {
    const { html, signFields } = merged(fields, { role: "Buyer" });
    expect(html).to.include(
      'class="sign-field sign-signature" style="width:64mm;height:18mm"',
    );
    expect(html).to.include('style="width:20mm;height:9mm"');
    expect(html).not.to.include("esign.invalid");
    expect(signFields).to.eql([
      {
        id: "1",
        name: "sign",
        role: "Buyer",
        type: "signature",
        required: true,
      },
      {
        id: "2",
        name: "choice",
        role: "Client",
        type: "select",
        required: false,
        options: ["a", "b"],
      },
    ]);
  });

  it("are links when the document is sent for signature, so that the print reveals their positions", () => {
    const { html } = merged(fields, {}, { signingNonce: "n0nce" });
    expect(html)
      .to.include('href="https://esign.invalid/n0nce/1"')
      .and.include("n0nce/2");
  });
});
