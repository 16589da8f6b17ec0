import { expect } from "chai";
import type { Page } from "puppeteer-core";
import sharp, { type Color } from "sharp";
import { operator } from "../../../core/accounts/index.js";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import { requestsTo } from "../../support/caller.js";
import { useMailServer } from "../../support/mail-server.js";
import { TestService, useService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { createAccounts } from "../../support/store.js";
import {
  getDraft,
  getTemplate,
  type OpenEditor,
  saveDraft,
  useEditor,
} from "../../support/studio-editor.js";
import {
  expectRefusal,
  ignoreOutage,
  newVisitor,
} from "../../support/studio.js";

const text = (id: string, words = `Text ${id}.`): Component => ({
  type: "text",
  id,
  text: words,
});
const schema = [{ id: "root", fields: [] }];
const both = [text("one"), text("two")];

const put = (...components: Component[]) => ({
  definition: { schema, components },
});

async function deleteFirst({ click, keys, waitForText }: OpenEditor) {
  await click("one");
  await keys("Delete");
  await waitForText("Saved just now");
}

async function waitForPublished(
  { user, templateId, waitForText }: OpenEditor,
  ...components: Component[]
): Promise<number> {
  await waitForText("Published as version");
  const published = await getTemplate(user, templateId);
  expect(published.definition.components).to.deep.equal(components);
  return published.version;
}

describe("publishing in the editor", () => {
  const service = useService();
  const open = useEditor(service);

  it("changes the published template only on request, as a version with a note", async () => {
    const editor = await open(both);
    const { page, press, keys, user, templateId } = editor;
    const published = await getTemplate(user, templateId);
    await deleteFirst(editor);
    expect(await getTemplate(user, templateId)).to.deep.equal(published);
    await press("Publish");
    await page.locator("dialog input[maxlength]").fill("Without the first");
    await keys("Enter");
    expect(await waitForPublished(editor, text("two"))).to.equal(2);
    await press("Versions");
    await editor.waitForText("Without the first");
  });

  it("says that a blank template was never published, until it is", async () => {
    const { page, press, user, waitFor, waitForText } = await open([]);
    await waitForText("Not published yet");
    await page.locator('[data-new="heading"]').click();
    await waitForText("Saved just now");
    await user.open("templates");
    await waitForText("Unpublished changes");
    await page.goBack();
    await press("Publish");
    await page.locator("dialog .primary").click();
    await waitForText("Published as version 2");
    await user.open("templates");
    await waitFor(".card.template");
    const words = await page.$eval(".card.template", (one) => one.innerText);
    expect(words).not.to.include("Unpublished changes");
  });

  it("lists the problems to fix first, and leads to them", async () => {
    const { press, user, templateId, waitForText } = await open(both);
    const components = [text("one", "{{ root. }}")];
    await saveDraft(user, templateId, { schema, components });
    await press("1 problem to fix");
    await waitForText("1 problem to fix first");
    await press("Show");
    await waitForText("A paragraph, with your data in it");
    expect((await getTemplate(user, templateId)).version).to.equal(1);
  });

  it("lists what an email lacks", async () => {
    const button: Component = {
      type: "button",
      id: "one",
      text: "Open",
      href: "https://example.com",
    };
    const { press, waitForText } = await open(
      { schema, email: { subject: "" }, components: [button] },
      "email",
    );
    await press("2 problems to fix");
    await waitForText("The email has no subject.");
    await waitForText('"https://example.com" is a placeholder.');
  });

  it("can be given up for the published version, which can be undone", async () => {
    const editor = await open(both);
    const { page, press, waitFor, waitForDraft } = editor;
    const waitForComponents = (...expected: Component[]) =>
      waitForDraft(({ components }) => components, expected);
    await deleteFirst(editor);
    await press("More actions", "Discard changes");
    await page.locator("dialog .danger").click();
    await waitFor(".sheet [data-id=one]");
    await waitForComponents(...both);
    await press("Undo: Discard the changes");
    await editor.waitUntilGone("[data-id=one]");
    await waitForComponents(text("two"));
  });

  it("saves a version without a change, and compares versions as printed pages", async () => {
    const { page, press, keys, waitForText } = await open(both);
    await press("Versions", "Save a version");
    await page.locator("dialog input").fill("As agreed");
    await keys("Enter");
    for (const words of ["Version 2 saved", "As agreed", "No differences"])
      await waitForText(words);
    await press("Printed pages");
    await page.waitForFunction(
      "document.querySelectorAll('.pdf-page canvas').length === 2",
    );
  });

  it("publishes what somebody else has saved too", async () => {
    const editor = await open(both);
    const { page, click, press, keys, user, templateId } = editor;
    const other = await newVisitor(service, "editor", user.organizationId);
    await page.setOfflineMode(true);
    await click("one");
    await keys("Delete");
    await editor.waitForText("Your last changes aren't saved.");
    const { definition } = await getDraft(other, templateId);
    const components = [text("one"), text("two", "Theirs.")];
    await saveDraft(other, templateId, { ...definition, components });
    await press("Publish");
    await editor.waitFor("dialog .primary");
    await page.setOfflineMode(false);
    await page.locator("dialog .primary").click();
    await waitForPublished(editor, text("two", "Theirs."));
    await ignoreOutage(user);
  });

  it("says who has published meanwhile and through what, and includes that on request", async () => {
    const editor = await open(both);
    const { page, press, user, templateId, waitForText } = editor;
    const path = `/api/templates/${templateId}/definition`;
    await deleteFirst(editor);
    const grace = await newVisitor(service, "editor", user.organizationId);
    await grace.send("PUT", path, put(text("two", "Theirs.")));
    await waitForText("Ada published a newer version.");
    const { key } = await createAccounts(service.store).keys.create(
      user.organizationId,
      { scopes: ["templates:write"], userId: user.userId },
      operator,
    );
    const program = requestsTo(() => service.url, key);
    const more = [text("two", "Theirs."), text("three")];
    expect((await program.put(path, put(...more))).status).to.equal(200);
    await waitForText("A program published a newer version.");
    // The same person, in another tab.
    const tab = [text("one"), text("two", "From another tab.")];
    await user.send("PUT", path, put(...tab));
    await waitForText(
      "You published a newer version in another tab or in the wizard.",
    );
    await press("Merge");
    await waitForText("From another tab.");
    await waitForText("Saved just now");
    await press("Publish");
    await page.locator("dialog .primary").click();
    await waitForPublished(editor, text("two", "From another tab."));
  });
});

const firstPage = "[aria-label='Page 1 of 1'] canvas";

const first = text("first", "First.");

const email: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  email: { subject: "Hello" },
  components: [
    first,
    {
      type: "social",
      id: "social",
      items: [{ network: "linkedin", href: "https://l.example" }],
    },
  ],
};

async function makePicture(kind: "jpeg" | "png", background: Color) {
  const create = { width: 64, height: 64, channels: 4, background } as const;
  const bytes = await sharp({ create }).toFormat(kind).toBuffer();
  const src = `data:image/${kind};base64,${bytes.toString("base64")}`;
  return { type: "image", src, width: "30mm" } as const;
}

/** Whether the print on the canvas has many points of each color, roughly. */
function waitForColors(page: Page): Promise<unknown> {
  return page.waitForFunction(`(() => {
    const canvas = document.querySelector("[aria-label^='Page 1'] canvas");
    if (!canvas?.width) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = { red: 0, paleBlue: 0, green: 0 };
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = data.subarray(at, at + 3);
      if (red > 190 && green < 20 && blue < 20) found.red += 1;
      if (Math.abs(red - 128) < 6 && Math.abs(green - 128) < 6 && blue > 249) found.paleBlue += 1;
      if (green > red + 30 && green > blue + 30) found.green += 1;
    }
    return found.red > 1000 && found.paleBlue > 1000 && found.green > 20;
  })()`);
}

/** The mean brightness of the corner of the email's picture, from 0 to 255. */
async function getCornerBrightness(page: Page): Promise<number> {
  const source = await page.$eval("img.email-print", ({ src }) => src);
  const bytes = Buffer.from(source.split(",")[1] ?? "", "base64");
  const corner = { left: 2, top: 2, width: 8, height: 8 };
  const { channels } = await sharp(bytes).extract(corner).stats();
  return channels[0]?.mean ?? 0;
}

describe("the preview beside the page", () => {
  const server = useMailServer();
  const folder = suiteFolder();
  const options: ConstructorParameters<typeof TestService>[1] = {};
  const service = new TestService(folder, options);
  before(() => {
    const mail = { smtpUrl: server.url, from: "Platen <p@example.com>" };
    Object.assign(options, { config: { mail } });
    return service.start();
  });
  after(() => service.stop());
  const open = useEditor(service);

  it("shows the printed document with its pictures, follows changes by one worker, and stays open after a reload", async () => {
    const { page, click, press, keys, waitFor } = await open([
      { type: "text", id: "words", text: "Dear all 🟢" },
      await makePicture("jpeg", { r: 200, g: 0, b: 0, alpha: 1 }),
      await makePicture("png", { r: 0, g: 0, b: 255, alpha: 0.5 }),
      { type: "page-break", id: "break" },
      { type: "text", id: "second", text: "Second." },
    ]);
    expect(page.workers()).to.have.length(0);
    await press("Preview");
    await waitFor("[aria-label='Page 2 of 2'] canvas");
    await waitFor("a[download='Letter.pdf']");
    await waitForColors(page);
    const [worker] = page.workers();
    await click("second");
    await keys("Delete");
    await waitFor(firstPage);
    expect(page.workers()).to.deep.equal([worker]);
    await page.reload();
    await waitFor(firstPage);
  });

  it("says that it is unavailable during an outage, and appears by itself once that is over", async () => {
    const { page, press, user, ...editor } = await open([first]);
    let isOut = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isPrint = request.url().endsWith("/drafts/print");
      void (isPrint && isOut ? request.abort() : request.continue());
    });
    await press("Preview");
    await editor.waitForText("Preview unavailable");
    await editor.waitForText("Platen tries again automatically.");
    isOut = false;
    await editor.waitFor(firstPage);
    expect(await page.$(".preview .notice")).to.equal(null);
    page.removeAllListeners("request");
    await page.setRequestInterception(false);
    await ignoreOutage(user);
  });

  it("appears by itself after an outage during which it was opened for the first time", async () => {
    const { page, press, user, waitFor, waitForText } = await open([first]);
    await page.setCacheEnabled(false);
    await page.setOfflineMode(true);
    await press("Preview");
    await waitFor(".preview .notice");
    await waitForText("Couldn't reach Platen");
    await page.setOfflineMode(false);
    await waitFor(firstPage);
    await page.setCacheEnabled(true);
    await ignoreOutage(user);
  });

  it("explains why the preview of an email is missing, and leads there", async () => {
    const editor = await open(email, "email");
    const { press, user, waitFor, waitForText } = editor;
    await press("Preview");
    await waitFor("img.email-print");
    const broken = text("first", "{{ root. }}");
    await saveDraft(user, editor.templateId, {
      ...email,
      components: [broken],
    });
    await waitForText("Couldn't render the template");
    await press("Show");
    await waitForText("A paragraph, with your data in it");
    await saveDraft(user, editor.templateId, email);
    await editor.page.waitForFunction(
      'document.body?.innerText.includes("Couldn\'t render the template") === false',
    );
    await expectRefusal(user, 400);
  });

  it("shows an email as a mail program in dark mode does, says which do, and sends a test or why it cannot", async () => {
    const { page, press, user, waitFor, waitForText } = await open(
      email,
      "email",
    );
    await press("Preview");
    await waitFor("img.email-print");
    expect(await getCornerBrightness(page)).to.be.above(240);
    const bright = await page.$eval("img.email-print", ({ src }) => src);
    await press("Show in dark mode");
    await waitForText("Gmail and other versions of Outlook choose");
    await page.waitForFunction(
      `document.querySelector("img.email-print")?.src !== ${JSON.stringify(bright)}`,
    );
    expect(await getCornerBrightness(page)).to.be.below(60);
    await waitFor(".sheet [data-id=social] svg[aria-label=LinkedIn]");
    const mail = server.next();
    await press("Send me a test");
    const { to, text: sent } = await mail;
    expect(sent).to.include("Subject: [Test] Hello");
    await waitForText(`Test sent to ${to[0]}.`);
    server.refused.add(to[0] ?? "");
    await press("Send me a test");
    await waitForText("550 No such mailbox here");
    await expectRefusal(user, 503);
  });
});
