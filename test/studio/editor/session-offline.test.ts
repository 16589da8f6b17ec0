import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { waitForText, useStudio } from "../../support/studio.js";
import { openEditor, pressKeys } from "../../support/studio-editor.js";

const initialComponents: Component[] = [
  { type: "text", id: "first", text: "First." },
  { type: "text", id: "second", text: "Second." },
];

describe("changes that did not reach the service", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are reported, kept across a reload, and saved afterwards", async () => {
    const editor = await openEditor(
      service,
      await signIn("editor"),
      initialComponents,
    );
    const { page, draft } = editor;
    page.on("dialog", (dialog) => void dialog.accept());
    await page.setOfflineMode(true);
    await page.locator(".sheet [data-id=first]").click();
    await pressKeys(page, "Delete");
    await waitForText(page, "Your last changes aren't saved.");
    // Neither what is sent once the network is back arrives, nor the page's last request.
    let hasLeft = false;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isSave = request.method() === "PUT";
      void (isSave && !hasLeft ? request.abort() : request.continue());
    });
    page.once("load", () => {
      hasLeft = true;
    });
    await page.setOfflineMode(false);
    await page.reload();
    await page.waitForSelector(".sheet [data-id=second]");
    expect(await page.$(".sheet [data-id=first]")).to.equal(null);
    const saved = await eventually(async () => {
      const { components } = await draft();
      return components.length === 1 && components;
    });
    expect(saved).to.deep.equal([initialComponents[1]]);
  });
});
