import { describe, it } from "mocha";
import { accepted, rejects } from "../../compiler/support.js";

const field = {
  type: "sign-field",
  field: "select",
  name: "Size",
  submitter: "A",
};

describe("a sign field", () => {
  it("to choose in offers something", () => {
    rejects([field], "$.components[0].options", "nothing to choose from");
    rejects(
      [{ ...field, options: [] }],
      "$.components[0].options",
      "array of words",
    );
    accepted([{ ...field, options: ["S", "M"] }]);
  });

  it("stands on one page, not in a header that all have", () => {
    const date = { ...field, field: "date" };
    rejects(
      { page: { header: [date] } },
      "$.page.header[0]",
      "cannot stand in a header",
    );
    accepted([date]);
  });
});
