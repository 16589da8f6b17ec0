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

const getNames = (
  components: readonly object[],
  data: object,
  options: object = {},
) =>
  merged(components, data, options).signFields.map(
    ({ role, name }) => `${role}: ${name}`,
  );

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

  const lines = {
    collection: { path: "root.lines", collectionId: "line" },
    type: "container",
  };
  const note = {
    type: "sign-field",
    field: "text",
    name: "Note {{ line.number }}",
    submitter: "Client",
  };
  it("have one name for each row when the name has a value of the row", () => {
    const data = { lines: [{}, {}] };
    const components = [{ ...lines, components: [note] }];
    expect(getNames(components, data)).to.eql([
      "Client: Note 1",
      "Client: Note 2",
    ]);
    const { html } = merged(components, data);
    expect(html).to.include("<span>Note 1</span>").and.include("Note 2</span>");
    expect(html).not.to.include("line.number");
  });

  it("are one field where their rows result in the same name", () => {
    const data = { lines: [{ code: "A" }, { code: " A" }, { code: "B" }] };
    const coded = { ...note, name: "Note {{ line.code }}" };
    const components = [{ ...lines, components: [coded] }];
    expect(getNames(components, data)).to.eql([
      "Client: Note A",
      "Client: Note A",
      "Client: Note B",
    ]);
  });

  it("get a name of their own when another type or other choices have theirs", () => {
    const named = { ...note, name: "Size" };
    const choices = { ...named, field: "select", options: ["S", "M"] };
    const components = [
      named,
      choices,
      { ...choices, options: ["1", "2"] },
      { ...named, name: "Size 2" },
      choices,
      { ...choices, submitter: "Seller" },
    ];
    expect(getNames(components, {})).to.eql([
      "Client: Size",
      "Client: Size 2",
      "Client: Size 3",
      "Client: Size 2 2",
      "Client: Size 2",
      "Seller: Size",
    ]);
  });

  it("are separate fields with the name of their type when their names are empty", () => {
    const data = { lines: [{}, { name: "\u0000 " }, { name: "Text 2" }] };
    const unnamed = { ...note, name: "{{ line.name }}" };
    const components = [{ ...lines, components: [unnamed] }];
    expect(getNames(components, data)).to.eql([
      "Client: Text",
      "Client: Text 2",
      "Client: Text 2 2",
    ]);
  });

  it("escape markup and field tags of a row in their captions", () => {
    const data = { code: "<b>{{x;type=signature}}</b>" };
    const coded = { ...note, name: "Note {{ root.code }}" };
    const { html } = merged([coded], data, { signingNonce: "n0nce" });
    expect(html).to.include("Note &lt;b&gt;").and.not.include("{{x;type");
  });

  it("are named in linear time, however many share a name or have none", () => {
    const data = { lines: Array.from({ length: 40_000 }, () => ({})) };
    const unnamed = { ...note, name: "{{ line.name }}" };
    const names = getNames([{ ...lines, components: [unnamed] }], data);
    expect(new Set(names).size).to.equal(40_000);
  });
});
