import { describe, it } from "mocha";
import { accepted, rejects } from "../../compiler/support.js";

const field = {
  type: "sign-field",
  field: "select",
  name: "Size",
  submitter: "A",
};

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
});
