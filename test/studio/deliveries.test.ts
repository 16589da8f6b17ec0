import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
import { templateSchema } from "../../core/api/routes/templates.js";
import { pageSchema } from "../../core/api/schemas.js";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useMailServer } from "../support/mail-server.js";
import { useService } from "../support/service.js";
import { SftpServer } from "../support/sftp-server.js";
import { publish } from "../support/store.js";
import {
  pressButton,
  runAxe,
  signInAs,
  useStudio,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";

const field = (name: string) => `::-p-aria([name="${name}"])`;
const textbox = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
const readConnection = reader(connectionSchema);
const readTemplate = reader(templateSchema);
const readConnections = reader(pageSchema(connectionSchema));

describe("the delivery of documents in the studio", () => {
  const server = useMailServer();
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } },
  });
  const signIn = useStudio(service);

  /** A connection to the mail server, and a template whose documents go there. */
  async function start(width = 390, isDark = false) {
    const caller = await newBatchCaller(service);
    const { page, pageErrors } = await signIn(
      "owner",
      { width, isDark },
      caller.organizationId,
    );
    const connect = async (delivery: string, name: string, more: object) => {
      const credentials = { host: "127.0.0.1", ...more };
      const body = { delivery, name, credentials };
      const response = await caller.post("/api/connections", body);
      return (await readConnection(response, 201)).id;
    };
    const mail = await connect("email", "Shop mail", {
      port: Number(new URL(server.url).port),
      security: "none",
      from: "shop@example.com",
    });
    const fields = ["email", "name", "number"].map((name) => ({
      name,
      type: "String",
    }));
    const schema = [{ id: "root", fields }];
    const templateId = await publish(service.store, caller, {
      name: "Letter",
      definition: { schema, components: [{ type: "text", text: "Hello" }] },
    });
    const readDeliver = async () => {
      const path = `/api/templates/${templateId}`;
      const { deliver } = await readTemplate(await caller.get(path));
      return deliver;
    };
    const edit = async (act: string) => {
      const path = `/studio/templates/${templateId}?tab=deliver`;
      await page.goto(service.url + path);
      await pressButton(page, act);
    };
    const fill = (name: string, text: string) =>
      page.locator(field(name)).fill(text);
    const save = async () => {
      await pressButton(page, "Save");
      await waitForDialogToClose(page);
    };
    return {
      page,
      pageErrors,
      caller,
      connect,
      mail,
      schema,
      templateId,
      readDeliver,
      edit,
      fill,
      save,
    };
  }

  it("has connections, whose form is in the user's language", async () => {
    const { page, pageErrors, ...owner } = await signIn("owner", {
      width: 1280,
      locale: "de",
    });
    await pressButton(page, "Verbindungen");
    await pressButton(page, "Neue Verbindung");
    await page.waitForSelector("section[aria-label='Zustellung']");
    await page.locator(".target::-p-text(E-Mail)").click();
    await page.locator("#connection-name").fill("Unser Versand");
    await page.locator("::-p-aria([name='Mailserver'])").fill("127.0.0.1");
    await page
      .locator("::-p-aria([name='Port'])")
      .fill(new URL(server.url).port);
    await page
      .locator("::-p-aria([name='Verschlüsselung'][role='combobox'])")
      .fill("none");
    await page
      .locator("::-p-aria([name='Absender'])")
      .fill("Laden <laden@example.com>");
    expect(await runAxe(page)).to.deep.equal([]);
    await pressButton(page, "Speichern und prüfen");
    await waitForText(page, "Unser Versand funktioniert");
    await waitForText(page, "E-Mail (SMTP)");
    const visitor = await signInAs(service, owner);
    const { data } = await readConnections(
      await visitor.get("/api/connections"),
    );
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ delivery: "email", state: "working" });
    await pressButton(page, "Zugangsdaten von Unser Versand ändern");
    await page.locator("::-p-aria([name='Absender'])").fill("keine Adresse");
    await pressButton(page, "Speichern und prüfen");
    await waitForText(page, '"keine Adresse". Correct the connection.');
    expect(pageErrors).to.deep.equal([]);
  });

  describe("by email", () => {
    it("is composed like a mail: the fields that few people need appear on a click", async () => {
      const { page, pageErrors, ...started } = await start();
      const { readDeliver, edit, fill, save, mail } = started;
      await edit("Add delivery");
      await fill("Deliver to", mail);
      await page.waitForSelector(field("To"));
      for (const name of ["Cc", "Bcc", "Reply to"])
        expect(await page.$(textbox(name))).to.equal(null);
      await fill("To", "{{root.name}} <>");
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
      await fill("Subject", "Your letter");
      await fill("Message", "Dear {{root.name}}");
      expect(await runAxe(page)).to.deep.equal([]);
      await pressButton(page, "Options");
      await fill("Test mode", "starter");
      await page.locator("dialog label::-p-text(As links)").click();
      await page.locator("dialog label::-p-text(PDF)").click();
      expect(await runAxe(page)).to.deep.equal([]);
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
      expect(pageErrors).to.deep.equal([]);
    });

    it("has an email template as its message, and drops what a storage refuses when it becomes one", async () => {
      const { page, pageErrors, ...started } = await start(1280, true);
      const { caller, connect, schema, mail, templateId } = started;
      const { readDeliver, edit, fill, save } = started;
      const news = await publish(service.store, caller, {
        name: "News",
        templateType: "email",
        definition: {
          schema,
          components: [{ type: "text", text: "Dear {{root.name}}" }],
        },
      });
      const entry = {
        connection: mail,
        to: "{{root.email}}",
        bcc: "archive@example.com",
        body: "Dear all",
        testTo: "test@example.com",
        formats: ["pdf"],
      };
      await caller.patch(`/api/templates/${templateId}`, { deliver: [entry] });
      await edit("Edit delivery to Shop mail");
      await page.waitForSelector(field("Bcc"));
      await page.waitForSelector(field("Address for tests"));
      await page.locator("label::-p-text(Email template)").click();
      expect(await runAxe(page)).to.deep.equal([]);
      await save();
      const { body: _body, ...others } = entry;
      expect(await readDeliver()).to.deep.equal([
        { ...others, template: news },
      ]);

      const archive = await connect("sftp", "Archive", {
        user: "platen",
        password: "s3cret",
      });
      await edit("Edit delivery to Shop mail");
      await fill("Deliver to", archive);
      await fill("Folder", "letters/");
      await pressButton(page, "Insert field into Folder");
      await pressButton(page, "number");
      expect(await runAxe(page)).to.deep.equal([]);
      await save();
      expect(await readDeliver()).to.deep.equal([
        {
          connection: archive,
          folder: "letters/{{root.number}}",
          formats: ["pdf"],
        },
      ]);
      expect(pageErrors).to.deep.equal([]);
    });

    it("is sent again only after a warning, when nobody knows whether it arrived", async () => {
      const { page, pageErrors, caller, mail, templateId } = await start();
      const to = "drop@example.com";
      server.replies.set(to, ["drop"]);
      const count = () =>
        server.mails.filter((one) => one.to.includes(to)).length;
      const { batchId } = await sendBatch(caller, {
        templateId,
        formats: ["html"],
        items: [{ data: { name: "Ann" } }],
        deliver: [{ connection: mail, to }],
      });
      await batchWhen(
        caller,
        batchId,
        ({ deliveries }) => deliveries?.unknown === 1,
      );
      await page.goto(`${service.url}/studio/batches/${batchId}`);
      await waitForText(page, "1 may have arrived");
      await pressButton(page, "Send again what may have arrived");
      await waitForText(page, "they may get it twice");
      expect(await runAxe(page)).to.deep.equal([]);
      await pressButton(page, "Cancel");
      await waitForDialogToClose(page);
      expect(count()).to.equal(1);
      await pressButton(page, "Send again what may have arrived");
      await page
        .locator("dialog button::-p-text(Send again what may have arrived)")
        .click();
      await waitForText(page, "Delivered: 1");
      expect(count()).to.equal(2);
      expect(pageErrors).to.deep.equal([]);
    });
  });

  describe("to an SFTP server", () => {
    let sftp: SftpServer;
    before(async () => {
      sftp = await SftpServer.start();
    });
    after(() => sftp.close());

    it("is set up on a template's page, shown on the batch's page, and retried there", async () => {
      const caller = await newBatchCaller(service);
      const { page, pageErrors } = await signIn(
        "owner",
        { width: 1280 },
        caller.organizationId,
      );
      const templateId = await publish(service.store, caller, {
        name: "Letter",
        definition: {
          schema: [
            {
              id: "root",
              fields: [
                { name: "year", type: "String" },
                { name: "customer", type: "OneToOneLink", target: "people" },
                { name: "lines", type: "OneToManyLink", target: "people" },
              ],
            },
            { id: "people", fields: [{ name: "name", type: "String" }] },
          ],
          components: [{ type: "text", text: "Dear {{root.customer.name}}" }],
        },
      });
      await pressButton(page, "Connections");
      await pressButton(page, "New connection");
      await page.locator(".target::-p-text(SFTP)").click();
      const fill = (label: string, text: string) =>
        page.locator(`::-p-aria([name="${label}"])`).fill(text);
      await page.locator("#connection-name").fill("Archive");
      await fill("Server", "127.0.0.1");
      await fill("Port", String(sftp.port));
      await fill("User", sftp.user);
      await fill("Password", "s3cret");
      await pressButton(page, "Save and test");
      await waitForText(page, sftp.hostKeyFingerprint);
      await pressButton(page, "Change the credentials of Archive");
      expect(await page.$$("dialog textarea")).to.have.length(1);
      await fill("Password", "s3cret");
      await fill("Fingerprint of the server's key", sftp.hostKeyFingerprint);
      await pressButton(page, "Save and test");
      await waitForText(page, "Archive works");

      await page.goto(`${service.url}/studio/templates/${templateId}`);
      await page.locator("label::-p-text(Delivery)").click();
      await waitForText(page, "Delivered nowhere");
      await pressButton(page, "Add delivery");
      await fill("Folder", "letters/");
      await pressButton(page, "Insert field into Folder");
      const options = await page.$$eval(
        '[role=menu][aria-label="Insert field into Folder"] button',
        (all) => all.map((one) => one.textContent),
      );
      expect(options).to.deep.equal(["year", "customer.name"]);
      await pressButton(page, "year");
      expect(await runAxe(page)).to.deep.equal([]);
      await pressButton(page, "Save");
      await waitForText(page, "letters/{{root.year}}");

      const items = ["2025", "2026"].map((year) => ({
        data: { year, customer: { name: "Zoe" }, lines: [] },
      }));
      const request = { templateId, formats: ["html"], items };
      sftp.refused.set("MKDIR", 3);
      const { batchId } = await sendBatch(caller, request);
      await batchWhen(
        caller,
        batchId,
        ({ deliveries }) => deliveries?.failed === 2,
      );
      sftp.refused.clear();
      await page.goto(`${service.url}/studio/batches/${batchId}`);
      await waitForText(page, "Delivered: 0, 2 failed");
      await waitForText(page, "may not create the folder letters");
      expect(await runAxe(page)).to.deep.equal([]);
      await pressButton(page, "Retry failed deliveries");
      await waitForText(page, "Delivered: 2");
      expect((await sftp.list()).map(({ name }) => name)).to.have.members([
        "letters/2025/Letter.html",
        "letters/2026/Letter.html",
      ]);

      await page.goto(
        `${service.url}/studio/templates/${templateId}?tab=deliver`,
      );
      await pressButton(page, "Remove delivery to Archive");
      await waitForText(page, "Delivered nowhere");
      expect(pageErrors).to.deep.equal([]);
    });
  });
});
