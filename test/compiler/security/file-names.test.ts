import { expect } from "chai";
import * as fc from "fast-check";
import { describe, it } from "mocha";
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

function expectFit(name: string | null): void {
  if (name === null) return;
  expect(name).not.to.match(/[\\/:*?"<>|\p{Cc}\p{Cf}]|^[.\s-]|[.\s-]$|^$/u);
  expect(encodeURIComponent(name)).not.to.equal("");
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
    for (const x of [...attempts, ...Object.values(payloads).flat()])
      expectFit(getName(x));
  });

  it("is valid for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (x) =>
        expectFit(getName(x)),
      ),
    );
  });
});
