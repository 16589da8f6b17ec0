import { expect } from "chai";
import { after, before, beforeEach, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { connectionSchema } from "../../core/api/routes/connections.js";
import { templateSchema } from "../../core/api/routes/templates.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useMailServer } from "../support/mail-server.js";
import { useService } from "../support/service.js";
import { SftpServer } from "../support/sftp-server.js";
import { publish } from "../support/store.js";
import {
  fillField,
  newVisitor,
  pressButton,
  setSession,
  type TestVisitor,
  usePage,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

const field = (name: string) => `::-p-aria([name="${name}"])`;
const textbox = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
const readConnection = reader(connectionSchema);
const readTemplate = reader(templateSchema);
const schema = [
  {
    id: "root",
    fields: [
      ...["email", "name", "number"].map((name) => ({ name, type: "String" })),
      { name: "customer", type: "OneToOneLink", target: "people" },
      { name: "lines", type: "OneToManyLink", target: "people" },
    ],
  },
  { id: "people", fields: [{ name: "city", type: "String" }] },
];

describe("the delivery of documents in the studio", () => {
  const server = useMailServer();
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } },
  });
  const user = usePage(service, "owner");
  let page: Page;
  let owner: TestVisitor;
  let templateId: string;
  before(() => {
    ({ page } = user());
  });
  beforeEach(async () => {
    owner = await newVisitor(service);
    await allowBatches(service, owner);
    await setSession(service, page, owner);
    const components = [{ type: "text", text: "Hello" }];
    const definition = { schema, components };
    templateId = await publish(service.store, owner, {
      name: "Letter",
      definition,
    });
  });

  const connect = async (delivery: string, name: string, more: object) => {
    const credentials = { host: "127.0.0.1", ...more };
    const body = { delivery, name, credentials };
    const made = await owner.post("/api/connections", body);
    return (await readConnection(made, 201)).id;
  };
  const connectMail = () =>
    connect("email", "Shop mail", {
      port: Number(new URL(server.url).port),
      security: "none",
      from: "shop@example.com",
    });
  const readDeliver = async () =>
    (await readTemplate(await owner.get(`/api/templates/${templateId}`)))
      .deliver;
  const edit = async (act: string) => {
    await user().open(`templates/${templateId}?tab=deliver`);
    await pressButton(page, act);
  };
  const save = async () => {
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
  };

  it("by email is composed like a mail: the fields that few people need appear on a click", async () => {
    const mail = await connectMail();
    await edit("Add delivery");
    await fillField(page, "Deliver to", mail);
    await page.waitForSelector(field("To"));
    for (const name of ["Cc", "Bcc", "Reply to"])
      expect(await page.$(textbox(name))).to.equal(null);
    await fillField(page, "To", "{{root.name}} <>");
    await page.locator(field("To")).click();
    await page.keyboard.press("ArrowLeft");
    await pressButton(page, "Insert field into To");
    // By its first letter, and then the next one.
    await page.keyboard.press("n");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.keyboard.type("!");
    await pressButton(page, "Cc");
    await page.waitForSelector(textbox("Cc"));
    await page.keyboard.type("office@example.com");
    await fillField(page, "Subject", "Your letter");
    await fillField(page, "Message", "Dear {{root.name}}");
    await pressButton(page, "Options");
    await fillField(page, "Test mode", "starter");
    await page.locator("dialog label::-p-text(As links)").click();
    await page.locator("dialog label::-p-text(PDF)").click();
    await save();
    await waitForText(page, "Test mode");
    expect(await readDeliver()).to.deep.equal([
      {
        connection: mail,
        to: "{{root.name}} <{{root.email}}!>",
        cc: "office@example.com",
        subject: "Your letter",
        body: "Dear {{root.name}}",
        files: "link",
        formats: ["pdf"],
        testTo: "me",
      },
    ]);
  });

  it("has an email template as its message, and drops what a storage refuses when it becomes one", async () => {
    const mail = await connectMail();
    const components = [{ type: "text", text: "Dear {{root.name}}" }];
    const news = await publish(service.store, owner, {
      name: "News",
      templateType: "email",
      definition: { schema, components },
    });
    const entry = {
      connection: mail,
      to: "{{root.email}}",
      bcc: "archive@example.com",
      body: "Dear all",
      testTo: "test@example.com",
      formats: ["pdf"],
    };
    await owner.patch(`/api/templates/${templateId}`, { deliver: [entry] });
    await edit("Edit delivery to Shop mail");
    await page.waitForSelector(field("Bcc"));
    await page.waitForSelector(field("Address for tests"));
    await page.locator("label::-p-text(Email template)").click();
    await save();
    const { body: _body, ...others } = entry;
    expect(await readDeliver()).to.deep.equal([{ ...others, template: news }]);

    const login = { user: "platen", password: "s3cret" };
    const archive = await connect("sftp", "Archive", login);
    await edit("Edit delivery to Shop mail");
    await fillField(page, "Deliver to", archive);
    await fillField(page, "Folder", "letters/");
    await save();
    expect(await readDeliver()).to.deep.equal([
      { connection: archive, folder: "letters/", formats: ["pdf"] },
    ]);
  });

  it("is sent again only after a warning, when nobody knows whether it arrived", async () => {
    const connection = await connectMail();
    const to = "drop@example.com";
    server.replies.set(to, ["drop"]);
    const count = () =>
      server.mails.filter((one) => one.to.includes(to)).length;
    const { batchId } = await sendBatch(owner, {
      templateId,
      formats: ["html"],
      items: [{ data: { name: "Ann" } }],
      deliver: [{ connection, to }],
    });
    await batchWhen(
      owner,
      batchId,
      ({ deliveries }) => deliveries?.unknown === 1,
    );
    await user().open(`batches/${batchId}`);
    await waitForText(page, "1 may have arrived");
    await pressButton(page, "Send again what may have arrived");
    await waitForText(page, "they may get it twice");
    await pressButton(page, "Cancel");
    await waitForDialogToClose(page);
    expect(count()).to.equal(1);
    await pressButton(page, "Send again what may have arrived");
    await page
      .locator("dialog button::-p-text(Send again what may have arrived)")
      .click();
    await waitForText(page, "Delivered: 1");
    expect(count()).to.equal(2);
  });

  describe("to an SFTP server", () => {
    let sftp: SftpServer;
    before(async () => {
      sftp = await SftpServer.start();
    });
    after(() => sftp.close());

    it("is set up on a template's page, shown on the batch's page, and retried there", async () => {
      await user().open("connections");
      await pressButton(page, "New connection");
      await page.locator(".target::-p-text(SFTP)").click();
      await page.locator("#connection-name").fill("Archive");
      await fillField(page, "Server", "127.0.0.1");
      await fillField(page, "Port", String(sftp.port));
      await fillField(page, "User", sftp.user);
      await fillField(page, "Password", "s3cret");
      await pressButton(page, "Save and test");
      await waitForText(page, sftp.hostKeyFingerprint);
      await pressButton(page, "Change the credentials of Archive");
      expect(await page.$$("dialog textarea")).to.have.length(1);
      await fillField(page, "Password", "s3cret");
      await fillField(
        page,
        "Fingerprint of the server's key",
        sftp.hostKeyFingerprint,
      );
      await pressButton(page, "Save and test");
      await waitForText(page, "Archive works");

      await user().open(`templates/${templateId}`);
      await page.locator("label::-p-text(Delivery)").click();
      await waitForText(page, "Delivered nowhere");
      await pressButton(page, "Add delivery");
      await fillField(page, "Folder", "letters/");
      await pressButton(page, "Insert field into Folder");
      const options = await page.$$eval(
        '[role=menu][aria-label="Insert field into Folder"] button',
        (all) => all.map((one) => one.textContent),
      );
      expect(options).to.deep.equal([
        "email",
        "name",
        "number",
        "customer.city",
      ]);
      await pressButton(page, "number");
      await pressButton(page, "Save");
      await waitForText(page, "letters/{{root.number}}");

      const items = ["7", "8"].map((number) => ({ data: { number } }));
      const request = { templateId, formats: ["html"], items };
      sftp.refused.set("MKDIR", 3);
      const { batchId } = await sendBatch(owner, request);
      await batchWhen(
        owner,
        batchId,
        ({ deliveries }) => deliveries?.failed === 2,
      );
      sftp.refused.clear();
      await user().open(`batches/${batchId}`);
      await waitForText(page, "Delivered: 0, 2 failed");
      await waitForText(page, "may not create the folder letters");
      await pressButton(page, "Retry failed deliveries");
      await waitForText(page, "Delivered: 2");
      expect((await sftp.list()).map(({ name }) => name)).to.have.members([
        "letters/7/Letter.html",
        "letters/8/Letter.html",
      ]);
      await edit("Remove delivery to Archive");
      await waitForText(page, "Delivered nowhere");
    });
  });
});
