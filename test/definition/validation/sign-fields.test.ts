import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../core/definition/index.js";
import { accepted, rejects } from "../../compiler/support.js";

const field = {
  type: "sign-field",
  field: "select",
  name: "Size",
  submitter: "A",
};

const rows = (more: object) => ({
  schema: [],
  components: [
    {
      type: "container",
      collection: { path: "root.lines", collectionId: "line" },
      components: [{ ...field, field: "text", ...more }],
    },
  ],
});

const getWarnings = (more: object) =>
  checkDefinition(rows(more), "document").warnings.map(({ code }) => code);

describe("a sign field", () => {
  it("requires options with the type select", () => {
    rejects([field], "$.components[0].options", "needs options to choose from");
    rejects(
      [{ ...field, options: [] }],
      "$.components[0].options",
      "array of strings",
    );
    accepted([{ ...field, options: ["S", "M"] }]);
  });

  it("is not allowed in a header, which is repeated on every page", () => {
    const date = { ...field, field: "date" };
    rejects(
      { page: { header: [date] } },
      "$.page.header[0]",
      "is not allowed in a header",
    );
    accepted([date]);
  });

  it("checks the expressions in its name", () => {
    rejects(
      [{ ...field, field: "text", name: "Note {{ line. }}" }],
      "$.components[0].name",
      "",
    );
    const { warnings } = checkDefinition(
      {
        schema: [{ id: "root", fields: [{ name: "no", type: "Number" }] }],
        components: [{ ...field, field: "text", name: "Note {{ root.nu }}" }],
      },
      "document",
    );
    expect(warnings.map(({ path }) => path)).to.eql(["$.components[0].name"]);
  });

  it("is reported when it is repeated and all rows share one answer", () => {
    const [warning] = checkDefinition(rows({}), "document").warnings;
    expect(warning).to.include({
      path: "$.components[0].components[0].name",
      code: "shared_field",
    });
    expect(warning?.hint).to.include("Note {{ line.number }}");
  });

  it("is not reported when rows have names or signers of their own, or are signed the same way", () => {
    expect(getWarnings({ name: "Size {{ line.no }}" })).to.eql([]);
    expect(getWarnings({ submitter: "{{ line.role }}" })).to.eql([]);
    expect(getWarnings({ field: "signature" })).to.eql([]);
  });
});
