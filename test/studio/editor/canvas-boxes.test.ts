import { expect } from "chai";
import { describe, it } from "mocha";
import { SIGN_FIELD_TYPES } from "../../../core/plugin-api/index.js";
import {
  boxesIn,
  differing,
  printedBoxes,
} from "../../support/canvas-boxes.js";
import { inEmail, onPaper, wordsIn } from "../../support/canvas-parts.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";
import { merged, mergedEmail } from "../../compiler/support.js";

describe("the page in the editor, beside what is printed", () => {
  const service = useService();
  const enter = useStudio(service);

  it("has everything of a document in the same place", async () => {
    const guest = await enter("editor");
    const { page } = await openEditor(service, guest, onPaper);
    const kinds = {
      field: ".sign-field, .d-sign-field",
      chart: ".chart, .d-chart",
      button: ".button, .d-button",
      cell: "td, th",
      rule: "hr",
    };
    const drawn = await boxesIn(page, ".d-main", kinds);
    const { html } = merged(onPaper, { months: [{ name: "May", amount: 3 }] });
    const printed = await printedBoxes(page, html, 1280, "main", kinds);
    const names = [
      ...wordsIn(onPaper),
      ...SIGN_FIELD_TYPES.map((_field, index) => `field ${index + 1}`),
      "chart 1",
      "button 1",
      "rule 1",
      "cell 1",
      "cell 4",
      "Signature",
      "Initials",
      "Date",
      "the stamp",
    ];
    expect(differing(names, drawn, printed)).to.deep.equal([]);
  });

  it("has everything of an email in the same place", async () => {
    const guest = await enter("editor");
    const { page } = await openEditor(service, guest, inEmail, "email");
    const kinds = { button: ".d-button, a[style*='inline-block']" };
    const drawn = await boxesIn(page, ".mail-body", kinds);
    const { html } = mergedEmail(inEmail);
    const printed = await printedBoxes(page, html, 560, "body", kinds);
    const buttons = [1, 2, 3, 4].map((one) => `button ${one}`);
    const names = [...wordsIn(inEmail), ...buttons, "GitHub", "X"];
    expect(differing(names, drawn, printed)).to.deep.equal([]);
  });
});
