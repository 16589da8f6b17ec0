import { expect } from "chai";
import { describe, it } from "mocha";
import { eachFileStore } from "../../support/each-file-store.js";

const outside = [
  "../secret",
  "outputs/../../secret",
  "/etc/passwd",
  "outputs//a",
  "outputs",
  "",
  ".tmp/a",
  "outputs/.hidden",
  "outputs/a\0b",
  "outputs\\a",
  "outputs/A",
  `outputs/${"a".repeat(300)}`,
];

describe("a file key", () => {
  eachFileStore((files) => {
    for (const key of outside)
      it(`is rejected when it is ${JSON.stringify(key.slice(0, 30))}`, async () => {
        const error = await files()
          .size(key)
          .catch((thrown: unknown) => thrown);
        expect(error).to.have.property("code", "internal");
      });
  });
});
