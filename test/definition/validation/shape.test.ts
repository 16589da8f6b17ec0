import { accepted, rejects, text } from "../../compiler/support.js";

const at = "$.components[0]";

describe("the shape of a definition", () => {
  it("rejects an unknown type and suggests the nearest one", () => {
    accepted([{ type: "table", components: [] }]);
    rejects([{ type: "tabel" }], `${at}.type`, 'Did you mean "table"?');
    rejects([{ text: "a" }], `${at}.type`, 'The property "type" is missing.');
  });

  it("rejects an unknown property and suggests the nearest one", () => {
    rejects([{ type: "text", txt: "a" }], `${at}.txt`, 'Did you mean "text"?');
  });

  it("names a missing property and its expected value", () => {
    rejects([{ type: "text" }], `${at}.text`, "Add it: a string or an array.");
  });

  it("shows a wrong value beside the expected one", () => {
    rejects(
      [{ type: "heading", text: "a", level: 9 }],
      `${at}.level`,
      "Expected at most 6, but found 9.",
    );
    rejects(
      [{ type: "spacer", height: "10" }],
      `${at}.height`,
      'Expected a length with a unit, such as "12mm" or "50%"',
    );
    rejects(
      [{ type: "table-cell", align: "centre" }],
      `${at}.align`,
      'Did you mean "center"?',
    );
  });

  it("allows only known operators, locales, currencies and time zones", () => {
    const condition = {
      combinator: "and",
      rules: [{ field: "root.a", operator: "contain" }],
    };
    rejects(
      [text("a", { condition })],
      `${at}.condition.rules[0].operator`,
      'Did you mean "contains"?',
    );
    accepted({ locale: "en-GB", currency: "EUR", timeZone: "Europe/Berlin" });
    rejects({ locale: "english" }, "$.locale", "a BCP 47 language tag");
    rejects({ currency: "Euro" }, "$.currency", "an ISO 4217 currency code");
    rejects({ timeZone: "Mars/Base" }, "$.timeZone", "an IANA time zone");
  });
});
