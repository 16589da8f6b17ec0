import { expect } from "chai";
import { expectAccepted, fc } from "../../support/properties.js";
import { compileTemplate } from "../../../core/compiler/index.js";
import { accepted, OPTIONS } from "../support.js";
import { payloads } from "./payloads.js";

const program = compileTemplate(
  accepted({ fileName: "{{ root.x }}" }),
  "document",
);

function getName(x: string): string | null {
  return program.merge({ x }, OPTIONS).fileName;
}

/** @returns whether there is a name. */
function expectFit(name: string | null): boolean {
  if (name === null) return false;
  expect(name).not.to.match(/[\\/:*?"<>|\p{Cc}\p{Cf}]|^[.\s-]|[.\s-]$|^$/u);
  expect(encodeURIComponent(name)).not.to.equal("");
  return true;
}

const attempts = [
  "../../etc/passwd",
  "..\\..\\windows\\system32",
  "/etc/passwd\u0000.pdf",
  "C:\\a:b",
  "...",
  " - ",
  "a\r\ncontent-type: text/html",
  "invoice\u202efdp.exe",
  `${"x".repeat(119)}\u{1f600}`,
  "\ud800",
];

describe("the file name of a document", () => {
  it("cannot contain a path or break a header, whatever the data", () => {
    expectAccepted(100, (accept) => {
      for (const x of [...attempts, ...Object.values(payloads).flat()])
        if (expectFit(getName(x))) accept();
    });
  });

  it("is valid for any text", () => {
    expectAccepted(50, (accept) => {
      const anyText = fc.string({ unit: "binary", maxLength: 300 });
      const property = fc.property(anyText, (x) => {
        if (expectFit(getName(x))) accept();
      });
      fc.assert(property);
    });
  });
});
