import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  menuShows,
} from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

describe("a field with variables", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("has the same menu, and is updated by undo", async () => {
    const editor = await openEditor(service, await signIn(), {
      schema: [{ id: "root", fields: [{ name: "serial", type: "String" }] }],
      components: [{ id: "code", type: "qrcode", value: "A" }],
      sample: { serial: "S-1" },
    });
    const { page, pageErrors } = editor;
    const value = async () => {
      const [code] = (await editor.draft()).components;
      return code?.type === "qrcode" ? code.value : null;
    };
    await page.locator('.canvas [data-id="code"]').click();
    const field = ".inspector .text-typing";
    await page.locator(field).click();
    await pressKeys(page, "Control+End");
    await page.keyboard.type(" /ser");
    await menuShows(page, "Serial", "S-1");
    await pressKeys(page, "Enter");
    await page.keyboard.type("\\Z");
    await eventually(async () => (await value()) === "A {{ root.serial }}\\Z");
    await pressKeys(page, "Control+Z");
    await eventually(async () => (await value()) === "A {{ root.serial }}");
    await page.waitForFunction(
      `document.querySelector("${field}").textContent === "A Serial"`,
    );
    await pressKeys(page, "Backspace", "Backspace");
    await eventually(async () => (await value()) === "A");
    expect(pageErrors).to.eql([]);
  });
});
