import { expect } from "chai";
import { describe, it } from "mocha";
import { operator } from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import {
  pressButton,
  said,
  useStudio,
  linkFor,
  newVisitor,
  signedIn,
} from "../../support/studio.js";

describe("an open template", () => {
  const service = useService();
  const enter = useStudio(service);
  const text = { type: "text", id: "one", text: "One." } as const;

  it("reports that somebody moved it to the trash, and is restored from there", async () => {
    const one = await enter("editor");
    const { page, templateId, wrong } = await openEditor(service, one, [text]);
    const other = await newVisitor(service, "editor", one.organizationId);
    const at = `/api/templates/${templateId}`;
    await other.send("DELETE", at);
    await said(page, "This template is in the trash.");
    await pressButton(page, "Restore");
    await page.waitForFunction("!document.querySelector('.editor-notice')");
    const now = await (await other.get(at)).json();
    expect(now).to.include({ isTrashed: false });
    await other.send("DELETE", at);
    await said(page, "This template is in the trash.");
    await other.send("POST", `${at}/restore`);
    await said(page, "This template was restored from the trash.");
    expect(wrong).to.eql([]);
  });

  it("becomes read-only when the user becomes a viewer", async () => {
    const one = await enter("editor");
    const { page, templateId } = await openEditor(service, one, [text]);
    await page.waitForSelector("::-p-aria([name='Publish'])");
    const members = new Members(service.store);
    const member = await members.find(one.email);
    await members.changeRole(member, "viewer", operator);
    await said(page, "You are signed out.");
    await page.locator(".sheet [data-id=one]").click();
    await page.keyboard.press("Delete");
    await said(page, "Your last changes aren't saved.");
    const tab = await page.browserContext().newPage();
    await tab.goto(await linkFor(service, one));
    await pressButton(tab, "Sign in");
    await tab.waitForSelector("nav a");
    await page.bringToFront();
    await said(page, "You are now a viewer.");
    await said(page, "This requires the role editor; yours is viewer.");
    expect(await page.$("::-p-aria([name='Publish'])")).to.equal(null);
    const me = await signedIn(service, one);
    const found = await me.get(`/studio/api/drafts/${templateId}`);
    expect(await found.text()).to.contain('"savedAt":null');
  });
});
