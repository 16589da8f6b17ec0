import { expect } from "chai";
import { describe, it } from "mocha";
import { findSpan } from "../../../plugins/studio/app/src/editor/json/read-json.js";

const text = JSON.stringify({
  styles: { "my.style [1]": { "font-size": "big", color: 'say "red"' } },
  components: [{ type: "text", text: "One" }],
});

describe("the position of a checker path in the JSON", () => {
  for (const [path, found] of [
    ["$.components[0].text", '"One"'],
    ['$.styles["my.style [1]"]["font-size"]', '"big"'],
    ['$.styles["my.style [1]"].color', String.raw`"say \"red\""`],
    ["$.components[0].style", '{"type":"text","text":"One"}'],
  ] as const)
    it(`is the value of ${path} or the nearest one around it`, () => {
      const { from, to } = findSpan(text, path);
      expect(text.slice(from, to)).to.equal(found);
    });
});
