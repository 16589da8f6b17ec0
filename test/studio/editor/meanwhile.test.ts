import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import {
  pressButton,
  waitForText,
  useStudio,
  linkFor,
  newVisitor,
  signInAs,
} from "../../support/studio.js";

describe("an open template", () => {
  const service = useService();
  const signIn = useStudio(service);
  const text = { type: "text", id: "one", text: "One." } as const;

  it("reports that somebody moved it to the trash, and is restored from there", async () => {
    const one = await signIn("editor");
    const { page, templateId, pageErrors } = await openEditor(service, one, [
      text,
    ]);
    const other = await newVisitor(service, "editor", one.organizationId);
    const at = `/api/templates/${templateId}`;
    await other.send("DELETE", at);
    await waitForText(page, "This template is in the trash.");
    await pressButton(page, "Restore");
    await page.waitForFunction("!document.querySelector('.editor-notice')");
    const now = await (await other.get(at)).json();
    expect(now).to.include({ isTrashed: false });
    await other.send("DELETE", at);
    await waitForText(page, "This template is in the trash.");
    await other.send("POST", `${at}/restore`);
    await waitForText(page, "This template was restored from the trash.");
    expect(pageErrors).to.eql([]);
  });

  it("becomes read-only when the user becomes a viewer", async () => {
    const one = await signIn("editor");
    const { page, templateId } = await openEditor(service, one, [text]);
    await page.waitForSelector("::-p-aria([name='Publish'])");
    const members = new Members(service.store);
    const member = await members.find(one.email);
    await members.changeRole(member, "viewer", operator);
    await waitForText(page, "You are signed out.");
    await page.locator(".sheet [data-id=one]").click();
    await page.keyboard.press("Delete");
    await waitForText(page, "Your last changes aren't saved.");
    const tab = await page.browserContext().newPage();
    await tab.goto(await linkFor(service, one));
    await pressButton(tab, "Sign in");
    await tab.waitForSelector("nav a");
    await page.bringToFront();
    await waitForText(page, "You are now a viewer.");
    await waitForText(page, "This requires the role editor; yours is viewer.");
    expect(await page.$("::-p-aria([name='Publish'])")).to.equal(null);
    const me = await signInAs(service, one);
    const found = await me.get(`/studio/api/drafts/${templateId}`);
    expect(await found.text()).to.contain('"savedAt":null');
  });

  it("says that it is the same user who edits it in another tab", async () => {
    const user = await signIn("editor");
    const { page, templateId } = await openEditor(service, user, [text]);
    const tab = await page.browserContext().newPage();
    await tab.goto(`${service.url}/studio/templates/${templateId}/edit`);
    await tab.locator(".sheet [data-id=one]").click();
    await tab.keyboard.press("Delete");
    await page.bringToFront();
    await waitForText(
      page,
      "You are also editing this template in another tab.",
    );
  });
});
