import { expect } from "chai";
import { describe, it } from "mocha";
import { mergedSample } from "./merged-sample.js";

const emails: Record<string, { subject: string; texts: readonly string[] }> = {
  "order-confirmation": {
    subject: "Your order OL-20714 is on our bench",
    texts: ["Thank you, Hannah.", "€136.90", "Wednesday, 25 March"],
  },
  newsletter: {
    subject: "What the wood does in April",
    texts: ["A tawny owl answers", "<strong>wood anemones</strong>", "26 Apr"],
  },
  "password-reset": {
    subject: "Reset your Corvid password",
    texts: ["481 926", "11 February 2026, 08:14 GMT", "30 minutes"],
  },
};

describe("an email blueprint", () => {
  for (const [id, { subject, texts }] of Object.entries(emails))
    it(`${id} has its subject and its main content in its html`, () => {
      const { html, title, assets } = mergedSample(id);
      expect(title).to.equal(subject);
      for (const text of texts) expect(html).to.contain(text);
      expect(html).not.to.include("<svg");
      const others = assets.filter(({ drawing }) => !drawing);
      for (const { source } of others)
        expect(source, "an image that mail readers can show").not.to.include(
          "image/svg",
        );
    });
});
