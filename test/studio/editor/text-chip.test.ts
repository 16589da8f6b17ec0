import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  startTyping,
  waitForTextOfDraft,
} from "../../support/studio-editor.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "total", type: "Number" },
        { name: "note", type: "String" },
      ],
    },
  ],
  components: [
    { id: "one", type: "text", text: "Due: {{ root.total }}. {{ root.note }}" },
  ],
  sample: { total: 1234.5, note: "" },
};

describe("a chip in a text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("opens settings that change its format and preview what it prints", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await page.locator(".text-typing .chip").click();
    await waitForText(page, "Shows 1234.5");
    expect(await runAxe(page)).to.eql([]);
    await page.select("::-p-aria(Format)", '["number",2]');
    await waitForText(page, "Shows 1,234.50");
    await page.select("::-p-aria(Format)", '["currency"]');
    const currency = await page.waitForSelector("::-p-aria(Currency)");
    await currency?.select("CHF");
    await waitForText(page, "Shows CHF\u00a01,234.50");
    await pressButton(page, "Done");
    await pressKeys(
      page,
      "ArrowRight",
      "ArrowRight",
      "ArrowRight",
      "ArrowRight",
    );
    await pressKeys(page, "Enter");
    await waitForText(page, "Empty with the sample data");
    await page.locator("::-p-aria(If empty, show)").fill('no "note"');
    await waitForText(page, 'Shows no "note"');
    await pressKeys(page, "Escape");
    const expected =
      'Due: {{ root.total | currency("CHF") }}. {{ root.note | default("no \\"note\\"") }}';
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });

  it("is deleted like one letter, and shows an error for an invalid expression", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await pressKeys(page, "Backspace");
    await waitForTextOfDraft(editor, "Due: {{ root.total }}. ");
    await page.keyboard.type("{{root.total * }}");
    await page.locator(".text-typing .chip.formula").click();
    await waitForText(page, "A value is missing at the end");
    await page.locator(".formula-field").fill("root.total * 2");
    await waitForText(page, "Shows 2469");
    await pressKeys(page, "Escape");
    const expected = "Due: {{ root.total }}. {{ root.total * 2 }}";
    await waitForTextOfDraft(editor, expected);
    expect(pageErrors).to.eql([]);
  });
});
