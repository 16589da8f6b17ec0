import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import sharp, { type Color } from "sharp";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { useMailServer } from "../../support/mail-server.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { saveDraft, useEditor } from "../../support/studio-editor.js";
import { expectRefusal, ignoreOutage } from "../../support/studio.js";

const firstPage = "[aria-label='Page 1 of 1'] canvas";

const text = { type: "text", id: "first", text: "First." } as const;

const email: ProjectData = {
  schema: [{ id: "root", fields: [] }],
  email: { subject: "Hello" },
  components: [
    text,
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
    const { page, press, user, ...editor } = await open([text]);
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
    ignoreOutage(user);
  });

  it("appears by itself after an outage during which it was opened for the first time", async () => {
    const { page, press, user, waitFor, waitForText } = await open([text]);
    await page.setCacheEnabled(false);
    await page.setOfflineMode(true);
    await press("Preview");
    await waitFor(".preview .notice");
    await waitForText("Couldn't reach Platen");
    await page.setOfflineMode(false);
    await waitFor(firstPage);
    await page.setCacheEnabled(true);
    ignoreOutage(user);
  });

  it("explains why the preview of an email is missing, and leads there", async () => {
    const editor = await open(email, "email");
    const { press, user, waitFor, waitForText } = editor;
    await press("Preview");
    await waitFor("img.email-print");
    const broken = { ...text, text: "{{ root. }}" };
    await saveDraft(user, editor.templateId, {
      ...email,
      components: [broken],
    });
    await waitForText("Couldn't render the template");
    await press("Show");
    await waitForText("A paragraph, with your data in it");
    await saveDraft(user, editor.templateId, email);
    await editor.page.waitForFunction(
      '!document.body.innerText.includes("Couldn\'t render the template")',
    );
    expectRefusal(user, 400);
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
      `document.querySelector("img.email-print").src !== ${JSON.stringify(bright)}`,
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
    expectRefusal(user, 503);
  });
});
