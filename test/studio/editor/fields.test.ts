import { expect } from "chai";
import { describe, it } from "mocha";
import {
  runAxe,
  pressButton,
  waitForText,
  useStudio,
} from "../../support/studio.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor, startTyping } from "../../support/studio-editor.js";

describe("the fields of the data", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are detected in a pasted sample and inserted into the page", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Dear " },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Sample data");
    await page.locator("dialog label ::-p-text(As JSON)").click();
    const sample = { name: "Ada", lines: [{ title: "Bolt", amount: 3 }] };
    const source = page.locator("dialog textarea");
    await source.fill(JSON.stringify(sample));
    await pressButton(page, "Detect fields");
    await waitForText(page, "4 fields were added.");
    await page.locator("dialog label ::-p-text(Fields)").click();
    await waitForText(page, "Add an entry");
    expect(await runAxe(page)).to.eql([]);
    await pressButton(page, "Done");
    await startTyping(page, "one");
    await pressButton(page, "Insert Name");
    await pressButton(page, "Insert Lines");
    const [text, table] = await eventually(async () => {
      const { components } = await draft();
      return components.length === 2 && components;
    });
    expect(text).to.deep.include({ text: "Dear {{ root.name }}" });
    expect(JSON.stringify(table)).to.contain('"path":"root.lines"');
    expect(JSON.stringify(table)).to.contain("{{ line.amount }}");
    expect(pageErrors).to.eql([]);
  });

  it("are added, renamed, and deleted only after a confirmation when they are used", async () => {
    const editor = await openEditor(service, await signIn(), [
      { type: "text", id: "one", text: "Due {{ root.dueDate }}" },
    ]);
    const { page, draft, pageErrors } = editor;
    await pressButton(page, "Data");
    await pressButton(page, "Add a field");
    await page
      .locator('::-p-aria([name="Name of the new field"])')
      .fill("Due date");
    await page.keyboard.press("Enter");
    const field = { name: "dueDate", label: "Due date", type: "String" };
    await eventually(async () => {
      const [root] = (await draft()).schema;
      return root?.fields.length === 1 && root;
    });
    expect((await draft()).schema[0]?.fields).to.eql([field]);
    await pressButton(page, "Actions for Due date");
    await pressButton(page, "Delete");
    await waitForText(page, "Text: Due …");
    await pressButton(page, "Delete field");
    await eventually(async () => {
      const [root] = (await draft()).schema;
      return root?.fields.length === 0;
    });
    expect(pageErrors).to.eql([]);
  });
});
