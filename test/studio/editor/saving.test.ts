import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { operator, Users } from "../../../core/accounts/index.js";
import { Members } from "../../../core/accounts/sessions/index.js";
import type { Component } from "../../../core/plugin-api/definition.js";
import {
  dropResponses,
  holdResponses,
  stopDelays,
} from "../../support/delayed-responses.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  getDraft,
  type OpenEditor,
  openEditor,
  saveDraft,
  selectInJson,
  startTyping,
} from "../../support/studio-editor.js";
import {
  ignoreOutage,
  linkFor,
  newVisitor,
  type Person,
  pressButton,
  runAxe,
  setSession,
  signInAs,
  useBrowser,
  usePage,
  useStudio,
  waitForDialogToClose,
  waitForText as seeText,
} from "../../support/studio.js";

const text = (id: string, words: string): Component => ({
  type: "text",
  id,
  text: words,
});
const both = [text("one", "One."), text("two", "Two.")];

/** Deletes the first component. */
async function deleteFirst({ click, keys }: OpenEditor): Promise<void> {
  await click("one");
  await keys("Delete");
}

/** Types at the end of a component's text. */
async function typeIn(page: Page, id: string, words: string): Promise<void> {
  await startTyping(page, id);
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

describe("changes in the editor", () => {
  const service = useService();
  const openPage = useBrowser();
  const getUser = usePage(service, "editor", { width: 1280 }, openPage);
  const open = (components: Component[]) =>
    openEditor(service, getUser(), components);
  const signIn = useStudio(service, openPage);

  it("are saved and checked with one request", async () => {
    const editor = await open(both);
    const { page, templateId } = editor;
    const path = `/studio/api/drafts/${templateId}`;
    const requests: string[] = [];
    await page.waitForNetworkIdle({ concurrency: 1 });
    const note = (request: { url(): string; method(): string }) => {
      const { pathname } = new URL(request.url());
      const isPoll = pathname === `${path}/revision`;
      if (pathname.startsWith("/studio/api/drafts/") && !isPoll)
        requests.push(`${request.method()} ${pathname}`);
    };
    page.on("request", note);
    await deleteFirst(editor);
    await editor.waitForText("Saved just now");
    await page.waitForNetworkIdle({ concurrency: 1 });
    page.off("request", note);
    expect(requests).to.deep.equal([`PUT ${path}`]);
  });

  it("that did not arrive are reported, kept across a reload, and saved afterwards", async () => {
    const editor = await open(both);
    const { page, user, waitFor } = editor;
    await page.setOfflineMode(true);
    await deleteFirst(editor);
    await editor.waitForText("Your last changes aren't saved.");
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
    await waitFor(".sheet [data-id=two]");
    expect(await page.$(".sheet [data-id=one]")).to.equal(null);
    await editor.waitForBody("Two.");
    page.removeAllListeners("request");
    await page.setRequestInterception(false);
    await ignoreOutage(user);
  });

  it("are recognized as the page's own when the response was lost, also after a reload", async () => {
    const editor = await open([text("one", "One.")]);
    const { page, edit, keys, type, user, waitForBody } = editor;
    const at = `drafts/${editor.templateId}`;
    await edit("one");
    const restoreResponses = await dropResponses(page, at);
    await type(" More");
    await editor.waitForText("Your last changes aren't saved.");
    restoreResponses();
    await waitForBody("One. More");
    await type(" and more");
    await keys("Control+S");
    await waitForBody("One. More and more");
    const put = await holdResponses(page, at, { method: "PUT" });
    await type(", even now");
    await put.requested;
    await type(", and then");
    await page.reload();
    put.release();
    await edit("one");
    await type("!");
    await waitForBody("One. More and more, even now, and then!");
    await ignoreOutage(user);
  });

  it("are sent again when a minute has passed without an answer", async () => {
    const editor = await open([text("one", "One.")]);
    const { page, edit, type, user, waitForBody, waitForText } = editor;
    await edit("one");
    const path = `drafts/${editor.templateId}`;
    const put = await holdResponses(page, path, { method: "PUT" });
    const clock = 'globalThis[Symbol.for("platen.clock")]';
    await page.evaluate(`${clock}.limit = (ms, callback) => {
      const timer = setTimeout(callback, ms === 60_000 ? 30 : ms);
      return { cancel: () => clearTimeout(timer) };
    }`);
    await type(" More");
    await waitForText("Your last changes aren't saved.");
    await page.evaluate(`delete ${clock}.limit`);
    put.release();
    await waitForText("Saved just now");
    await waitForBody("One. More");
    await ignoreOutage(user);
  });

  it("are saved by their author and by nobody else who signs in to that browser", async () => {
    const author = await signIn("editor");
    const organization = author.organizationId;
    const other = await newVisitor(service, "editor", organization);
    const editor = await openEditor(service, author, both);
    const { page, visit, waitFor, waitForBody } = editor;
    // Nothing that this page sends arrives any more, its last words neither; the next page's do.
    await page.evaluate(
      "window.fetch = () => Promise.reject(new TypeError('lost'))",
    );
    await deleteFirst(editor);
    await editor.waitForText("Your last changes aren't saved.");
    page.on("dialog", (dialog) => void dialog.accept());
    await setSession(service, page, other);
    await visit();
    await waitFor(".sheet [data-id=one]");
    await waitForBody("One. Two.");
    await setSession(service, page, author);
    await visit();
    await waitFor(".sheet [data-id=two]");
    expect(await page.$(".sheet [data-id=one]")).to.equal(null);
    await waitForBody("Two.");
  });

  it("are kept while somebody else is signed in in another tab, and saved when their user is back", async () => {
    const ada = await signIn("editor");
    const editor = await openEditor(service, ada, both);
    const { page, keys, templateId, waitFor, waitForText } = editor;
    const email = `${crypto.randomUUID()}@example.com`;
    const bob = await new Users(service.store).create(
      ada.organizationId,
      { name: "Bob", email, role: "editor" },
      operator,
    );
    const tab = await page.browserContext().newPage();
    const signInAgain = async (person: Person) => {
      await tab.bringToFront();
      await tab.goto(await linkFor(service, person));
      await pressButton(tab, "Sign in");
      await tab.waitForSelector("nav a");
      await page.bringToFront();
    };
    await signInAgain({ ...ada, userId: bob.id, email });
    await deleteFirst(editor);
    await waitForText("You are now signed in as Bob in another tab.");
    await waitForText("Your last changes aren't saved.");
    const path = `/studio/api/drafts/${templateId}`;
    const getText = async () => (await ada.get(path)).text();
    expect(await getText()).to.include('"savedBy":null');
    await keys("Control+Z");
    await waitFor(".sheet [data-id=one]");
    await keys("Control+Shift+Z");
    await signInAgain(ada);
    await editor.waitForBody("Two.");
    expect(await getText()).to.include('"savedBy":"Ada"');
    await editor.waitUntilGone("[role=alert]");
  });

  it("end when their user becomes a viewer", async () => {
    const author = await signIn("editor");
    const editor = await openEditor(service, author, both);
    const { page, templateId, waitForText } = editor;
    await page.waitForSelector("::-p-aria([name='Publish'])");
    const members = new Members(service.store);
    const member = await members.find(author.email);
    await members.changeRole(member, "viewer", operator);
    await waitForText("You are signed out.");
    await deleteFirst(editor);
    await waitForText("Your last changes aren't saved.");
    const tab = await page.browserContext().newPage();
    await tab.goto(await linkFor(service, author));
    await pressButton(tab, "Sign in");
    await tab.waitForSelector("nav a");
    await page.bringToFront();
    await waitForText("You are now a viewer.");
    await waitForText("This requires the role editor; yours is viewer.");
    expect(await page.$("::-p-aria([name='Publish'])")).to.equal(null);
    const me = await signInAs(service, author);
    const found = await me.get(`/studio/api/drafts/${templateId}`);
    expect(await found.text()).to.contain('"savedAt":null');
  });

  it("of somebody else arrive in the JSON as well, where the cursor keeps its place", async () => {
    const editor = await open(both);
    const { page, press, type, user, templateId } = editor;
    await press("JSON");
    await selectInJson(page, "Two.", 4);
    await type(" And");
    await editor.waitForBody("One. Two. And");
    const { definition } = await getDraft(user, templateId);
    const [, second] = definition.components;
    const components = [text("one", "One, much longer than before"), second];
    await saveDraft(user, templateId, { ...definition, components });
    await page.waitForFunction(
      `document.querySelector("textarea")?.value.includes("much longer")`,
    );
    await type(" more");
    await page.waitForFunction(
      `document.querySelector("textarea")?.value.includes('"Two. And more"')`,
    );
    const json = await page.$eval("textarea.code", ({ value }) => value);
    expect(() => JSON.parse(json) as unknown).not.to.throw();
  });

  it("of somebody else are kept while the JSON is unfinished", async () => {
    const editor = await open(both);
    const { page, press, type, user, templateId, waitForText } = editor;
    await press("JSON");
    await selectInJson(page, 'Two."', 4);
    await type(" more");
    await waitForText("Not applied yet");
    const { definition } = await getDraft(user, templateId);
    const components = [text("one", "Theirs"), text("two", "Two.")];
    await saveDraft(user, templateId, { ...definition, components });
    await waitForText("You are also editing this template in another tab.");
    await type('"');
    await editor.waitForBody("Theirs Two. more");
    await eventually(async () =>
      JSON.stringify(await getDraft(user, templateId)).includes("Two. more"),
    );
    // The page may have tried to save before it heard of the other draft.
    await ignoreOutage(user);
  });

  it("end while the template is in the trash, from which it is restored, also from here", async () => {
    const editor = await open(both);
    const { press, user, templateId, waitForText } = editor;
    const other = await newVisitor(service, "editor", user.organizationId);
    const path = `/api/templates/${templateId}`;
    await other.send("DELETE", path);
    await waitForText("This template is in the trash.");
    await press("Restore");
    await editor.waitUntilGone(".editor-notice");
    expect(await (await other.get(path)).json()).to.include({
      isTrashed: false,
    });
    await other.send("DELETE", path);
    await waitForText("This template is in the trash.");
    await other.send("POST", `${path}/restore`);
    await waitForText("This template was restored from the trash.");
  });

  it("of two people who type at once all arrive, also when both change one text, or one deletes what the other changes", async () => {
    const ada = getUser();
    const editor = await open(
      ["One", "Two", "Three", "Four"].map((words) =>
        text(words.toLowerCase(), `${words}.`),
      ),
    );
    const bob = await openPage({ width: 1280 });
    const colleague = await newVisitor(service, "editor", ada.organizationId);
    await setSession(service, bob, colleague);
    // Each has a focus of their own, as at two computers.
    for (const page of [ada.page, bob]) await page.emulateFocusedPage(true);
    await bob.goto(ada.page.url());
    await bob.waitForSelector(".sheet");
    const texts = async () =>
      (await editor.draft()).components.map((one) =>
        "text" in one ? one.text : one.type,
      );
    const hold = () =>
      holdResponses(ada.page, "/studio/api/drafts/", {
        isRequest: true,
        method: "PUT",
      });
    // Different texts, while both stay in theirs.
    await Promise.all([
      typeIn(ada.page, "one", " By Ada, with a long run of words."),
      typeIn(bob, "two", " By Bob, who types as fast as she does."),
    ]);
    const written = [
      "One. By Ada, with a long run of words.",
      "Two. By Bob, who types as fast as she does.",
    ];
    for (const page of [ada.page, bob])
      for (const words of written) await seeText(page, words);
    // The same text, and Ada's arrives last.
    let held = await hold();
    await typeIn(ada.page, "three", " Ada again.");
    await typeIn(bob, "three", " Bob again.");
    await eventually(async () => (await texts())[2] === "Three. Bob again.");
    held.release();
    await seeText(ada.page, "Three. Ada again.");
    expect(await runAxe(ada.page)).to.eql([]);
    await ada.page.locator("dialog label ::-p-text(Three. Bob again.)").click();
    await pressButton(ada.page, "Merge", "dialog");
    await waitForDialogToClose(ada.page);
    await ada.page.waitForSelector(".sheet ::-p-text(Three. Bob again.)");
    await stopDelays(ada.page);
    // One deletes what the other writes in.
    held = await hold();
    await editor.click("four");
    await editor.keys("Delete");
    await typeIn(bob, "four", " Still needed.");
    await eventually(async () => (await texts())[3] === "Four. Still needed.");
    held.release();
    await seeText(ada.page, "that the other was editing, so it was kept");
    for (const page of [ada.page, bob])
      await seeText(page, "Four. Still needed.");
    expect(await texts()).to.deep.equal([
      ...written,
      "Three. Bob again.",
      "Four. Still needed.",
    ]);
    await ignoreOutage(ada);
  });
});
