import { expect } from "chai";
import { describe, it } from "mocha";
import { setImmediate } from "node:timers/promises";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { mjmlToHtml } from "../../../core/compiler/email/compile-email.js";

describe("text that is not MJML", () => {
  for (const text of ["", "<x", "<mjml></mjml>", "<html></html>"])
    it(`is rejected at once and leaves no unhandled rejection: ${JSON.stringify(text)}`, async () => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown) => unhandled.push(reason);
      process.on("unhandledRejection", note);
      try {
        expect(() => mjmlToHtml(text)).to.throw(
          PlatenError,
          "MJML did not render",
        );
        await setImmediate();
      } finally {
        process.off("unhandledRejection", note);
      }
      expect(unhandled).to.deep.equal([]);
    });
});
