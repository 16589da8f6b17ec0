import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import sharp from "sharp";
import { useMailServer } from "../../support/mail-server.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";

const email = {
  schema: [{ id: "root", fields: [] }],
  email: { subject: "Hello" },
  components: [
    { type: "text" as const, id: "first", text: "First." },
    {
      type: "social" as const,
      id: "social",
      items: [{ network: "linkedin", href: "https://l.example" }],
    },
  ],
};

/** The mean brightness of the corner of the preview's picture, from 0 to 255. */
async function cornerOf(source: string): Promise<number> {
  const bytes = Buffer.from(source.split(",")[1] ?? "", "base64");
  const corner = { left: 2, top: 2, width: 8, height: 8 };
  const { channels } = await sharp(bytes).extract(corner).stats();
  return channels[0]?.mean ?? 0;
}

describe("the preview of an email", () => {
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
  const signIn = useStudio(service);

  it("shows the email as a mail program in dark mode does, and says which do", async () => {
    const { page } = await openEditor(
      service,
      await signIn("editor"),
      email,
      "email",
    );
    await pressButton(page, "Preview");
    const light = await page.waitForSelector("img.email-print");
    const bright = await light?.evaluate(({ src }) => src);
    expect(await cornerOf(bright ?? "")).to.be.above(240);
    await pressButton(page, "Show in dark mode");
    await waitForText(page, "Gmail and other versions of Outlook choose");
    await page.waitForFunction(
      `document.querySelector("img.email-print").src !== ${JSON.stringify(bright)}`,
    );
    const dark = await page.$eval("img.email-print", ({ src }) => src);
    expect(await cornerOf(dark)).to.be.below(60);
    expect(
      await page.$(".sheet [data-id=social] svg[aria-label=LinkedIn]"),
    ).not.to.equal(null);
  });

  it("is sent as a test to oneself, or says why not", async () => {
    const visitor = await signIn("editor");
    const { page } = await openEditor(service, visitor, email, "email");
    await pressButton(page, "Preview");
    await page.waitForSelector("img.email-print");
    const mail = server.next();
    await pressButton(page, "Send me a test");
    const { to, text } = await mail;
    expect(text).to.include("Subject: [Test] Hello");
    await waitForText(page, `Test sent to ${to[0]}.`);
    server.refused.add(to[0] ?? "");
    await pressButton(page, "Send me a test");
    await waitForText(page, "550 No such mailbox here");
  });
});
