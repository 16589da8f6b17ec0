import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import {
  linkFor,
  pressButton,
  runAxe,
  signInAs,
  type StudioUser,
  useBrowser,
  useStudio,
  waitForHeading,
  waitForText,
} from "../support/studio.js";
import { getDraft, openEditor, saveDraft } from "../support/studio-editor.js";
import { useService } from "../support/service.js";

/** The titles of the first steps that are ticked. */
function ticked(page: Page): Promise<string[]> {
  return page.$$eval(".first-steps .done a", (all) =>
    all.map((one) => one.firstChild?.textContent ?? ""),
  );
}

describe("the first steps on the studio's home", () => {
  const service = useService();
  const open = useBrowser();
  const signIn = useStudio(service, open);

  const openHome = async ({ page }: Pick<StudioUser, "page">) => {
    await page.goto(`${service.url}/studio/`);
    await waitForHeading(page, "Templates");
  };

  it("tick themselves by what the person has created, and are gone when all is done", async () => {
    const user = await signIn("owner");
    const { page } = user;
    await waitForText(page, "0 of 4 done");
    expect(await runAxe(page)).to.deep.equal([]);
    const owner = await signInAs(service, user);
    const made = await owner.send("POST", "/api/templates", {
      name: "Our invoice",
      blueprint: "invoice",
    });
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    await openHome(user);
    await waitForText(page, "1 of 4 done");
    expect(await ticked(page)).to.eql(["Choose an example"]);
    // The example's own data is not the person's.
    await pressButton(page, "Add your data");
    await page.waitForSelector('[role=tab][aria-selected="true"]');
    expect(new URL(page.url()).pathname).to.match(
      new RegExp(`templates/${id}/edit$`),
    );
    await waitForText(page, "Sample data");
    const { definition } = await getDraft(page, id);
    const sample = { number: "2026-1" };
    await saveDraft(page, id, { ...definition, sample });
    await openHome(user);
    await waitForText(page, "2 of 4 done");
    await pressButton(page, "Create a PDF");
    await pressButton(page, "Create document");
    await waitForText(page, "Document created");
    await openHome(user);
    await waitForText(page, "3 of 4 done");
    const key = { name: "Web shop", scopes: ["documents:write"] };
    expect((await owner.send("POST", "/studio/api/keys", key)).status).to.equal(
      201,
    );
    await page.evaluate("history.pushState(null, '', 'documents')");
    await page.goBack();
    await pressButton(page, "Documents");
    await waitForHeading(page, "Documents");
    await pressButton(page, "Templates");
    await waitForText(page, "You're all set");
    expect(await runAxe(page)).to.deep.equal([]);
    await openHome(user);
    await waitForText(page, "Our invoice");
    expect(await page.$(".first-steps")).to.equal(null);
    expect(user.pageErrors).to.deep.equal([]);
  });

  it("never come back in any browser once they are hidden", async () => {
    const user = await signIn("editor");
    await pressButton(user.page, "Hide the first steps");
    await user.page.waitForFunction("!document.querySelector('.first-steps')");
    const other = await open({ width: 1280 });
    await other.goto(await linkFor(service, user));
    await pressButton(other, "Sign in");
    await waitForText(other, "No templates yet");
    expect(await other.$(".first-steps")).to.equal(null);
    expect(user.pageErrors).to.deep.equal([]);
  });

  it("are not shown to viewers, who cannot do them", async () => {
    const { page } = await signIn("viewer");
    await waitForText(page, "No templates yet");
    expect(await page.$(".first-steps")).to.equal(null);
  });
});

/** Waits until the step with this title is shown, with the ring around the element. */
const waitForStep = (page: Page, title: string, target: string) =>
  page.waitForFunction(`(() => {
    const box = (selector) =>
      document.querySelector(selector)?.getBoundingClientRect();
    const ring = box(".tour-spot");
    const inner = box(${JSON.stringify(target)});
    const { clientWidth, clientHeight } = document.documentElement;
    return (
      document.querySelector(".tour h2")?.innerText === ${JSON.stringify(title)} &&
      ring.left <= Math.max(inner.left, 2) &&
      ring.top <= Math.max(inner.top, 2) &&
      ring.right >= Math.min(inner.right, clientWidth - 2) &&
      ring.bottom >= Math.min(inner.bottom, clientHeight - 2)
    );
  })()`);

describe("the tour of the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is offered once, points at the real elements and is walked by keyboard", async () => {
    const user = await signIn("editor");
    const { page } = await openEditor(service, user, [
      { type: "text", id: "text", text: "Hello" },
    ]);
    expect(await runAxe(page)).to.deep.equal([]);
    await pressButton(page, "Take the tour");
    const stops: [title: string, target: string][] = [
      ["Add components", ".palette"],
      ["Write on the page", ".sheet"],
      ["Add your data", ".panel-tabs [role=tab]:nth-child(3)"],
      ["Change how it looks", ".editor-right"],
      ["See the real PDF", ".preview-switch"],
      ["Publish when it is ready", ".bar-end .primary"],
    ];
    for (const [index, [title, target]] of stops.entries()) {
      await waitForStep(page, title, target);
      if (index === 0) expect(await runAxe(page)).to.deep.equal([]);
      await page.keyboard.press(index % 2 === 0 ? "Enter" : "ArrowRight");
      // The last step ends with its button alone.
      if (index === stops.length - 1) await page.keyboard.press("Enter");
    }
    await page.waitForFunction("!document.querySelector('.tour')");
    await page.reload();
    await page.waitForSelector(".sheet");
    expect(await page.$(".tour-offer")).to.equal(null);
    expect(user.pageErrors).to.deep.equal([]);
  });

  it("can be skipped, goes back, and is offered again in the help menu", async () => {
    const user = await signIn("editor");
    const { page } = await openEditor(service, user, []);
    await pressButton(page, "No, thanks");
    await page.waitForFunction("!document.querySelector('.tour-offer')");
    await pressButton(page, "Help");
    await pressButton(page, "Tour of the editor");
    await pressButton(page, "Next");
    await waitForText(page, "2 of 6");
    await pressButton(page, "Back");
    await waitForText(page, "1 of 6");
    // The button that had the focus is gone.
    expect(await page.evaluate("document.activeElement.textContent")).to.equal(
      "Next",
    );
    await page.keyboard.press("Escape");
    await page.waitForFunction("!document.querySelector('.tour')");
    await pressButton(page, "Help");
    await pressButton(page, "Tour of the editor");
    await pressButton(page, "Skip the tour");
    await page.waitForFunction("!document.querySelector('.tour')");
    expect(user.pageErrors).to.deep.equal([]);
  });

  it("points at the panels' buttons on a phone", async () => {
    const user = await signIn("editor", { width: 390 });
    const { page } = await openEditor(service, user, []);
    await pressButton(page, "Help");
    await pressButton(page, "Tour of the editor");
    await waitForStep(page, "Add components", ".phone-bar button");
    const isWhole = `(() => {
      const { left, right } = document.querySelector(".tour-card").getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    })()`;
    expect(await page.evaluate(isWhole)).to.equal(true);
    expect(user.pageErrors).to.deep.equal([]);
  });
});
