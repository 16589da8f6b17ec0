import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { connectionSchema } from "../../core/integrations/connections/index.js";
import { templateSchema } from "../../core/templates/index.js";
import { PlatformError } from "../../core/plugin-api/index.js";
import { fetchAutomation, fetchRuns } from "../support/automations.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { createLink, readLink } from "../support/links.js";
import { useMailServer } from "../support/mail-server.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../support/records.js";
import { toSchema } from "../support/schema.js";
import { useService } from "../support/service.js";
import { useSftpServer } from "../support/sftp-server.js";
import { publish } from "../support/store.js";
import {
  chooseAction,
  chooseOption,
  expectRefusal,
  fillField,
  newVisitor,
  pressButton,
  pressButtons,
  setSession,
  type TestVisitor,
  usePage,
  waitForCount,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

describe("an office manager whose records are in a table", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const user = usePage(service);
  type Caller = Awaited<ReturnType<typeof newRecordCaller>>;
  let page: Page;
  let caller: Caller;
  before(() => {
    ({ page } = user());
    for (const id of ["A", "B"]) addOrder(platform, id, 0);
    platform.view("tblOrders", "To invoice", ["A", "B"]);
  });
  beforeEach(async () => {
    caller = await newRecordCaller(service);
    const { organizationId } = caller;
    const editor = await newVisitor(service, "editor", organizationId);
    await setSession(service, page, editor);
  });

  it("renames, pauses, resumes and deletes a button", async () => {
    const { url } = await createLink(caller, { name: "Print the order" });
    const press = async () => {
      const answer = await fetch(`${url}?recordId=A`);
      return { status: answer.status, text: await answer.text() };
    };
    await user().open("buttons");
    await waitForText(page, "In “Orders”, saved to “Invoice”");
    await chooseAction(page, "Print the order", "Edit");
    await page.locator("dialog input").fill("Invoice it");
    await pressButton(page, "Save");
    await waitForText(page, "Invoice it");
    await waitForDialogToClose(page);
    await chooseAction(page, "Invoice it", "Pause");
    await waitForText(page, "Paused");
    const paused = await press();
    expect(paused.status).to.equal(409);
    expect(paused.text).to.contain("This button is paused");
    await chooseAction(page, "Invoice it", "Resume");
    await waitForText(page, "Active");
    expect((await press()).text).to.contain("Invoice it");
    await user().open(`templates/${caller.templateId}`);
    await chooseAction(page, "Invoice it", "Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "Invoice it was deleted.");
    expect((await press()).text).to.contain("revoked by its owner");
    await user().open("buttons");
    await waitForText(page, "No buttons yet");
  });

  it("gives a button other files, another field and an expiry at the same address", async () => {
    const { id, url } = await createLink(caller, { name: "Print" });
    const read = async () => readLink(await caller.get(`/api/links/${id}`));
    const edit = async () => {
      await chooseAction(page, "Print", "Edit");
      await page.waitForSelector("dialog select");
    };
    await user().open("buttons");
    await edit();
    for (const words of ["PDF", "Web page (HTML)", "Replace"])
      await pressButton(page, words);
    await page.locator("dialog [type=datetime-local]").fill("2090-01-31T10:00");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    const changed = await read();
    expect(changed).to.deep.include({
      attachmentField: "Invoice",
      formats: ["pdf"],
      overwriteExisting: true,
    });
    expect(changed.expiresAt).to.match(/^2090-0[12]-/);
    await edit();
    await page.select("dialog select", "");
    await pressButton(page, "Save");
    await waitForText(page, "In “Orders”");
    await waitForDialogToClose(page);
    const { attachmentField, expiresAt } = await read();
    expect({ attachmentField, expiresAt }).to.deep.equal({
      attachmentField: null,
      expiresAt: changed.expiresAt,
    });
    expect((await fetch(`${url}?recordId=B`)).status).to.equal(200);
  });

  it("creates, runs, changes, pauses, resumes and deletes an automation", async () => {
    const response = await caller.get(`/api/templates/${caller.templateId}`);
    const { name } = z
      .object({ name: z.string() })
      .parse(await response.json());
    await user().open("automations");
    await waitForText(page, "No automations yet");
    await pressButton(page, "New automation");
    await page.locator("dialog input").fill("Invoices");
    for (const [label, option] of [
      ["Template", name],
      ["Connection", "M"],
      ["Table", "Orders"],
      ["Save files to", "Invoice"],
      ["Records", "All records in the view “To invoice”"],
      ["When", "Every week"],
      ["Day of the week", "Monday"],
    ] as const)
      await chooseOption(page, label, option, "dialog");
    await pressButton(page, "Create automation");
    await waitForText(page, "Every Monday at 08:00");
    await waitForText(page, "for all records in the view “To invoice”");
    await waitForText(page, "No runs yet");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const created = await fetchAutomation(caller, id);
    expect(created.when).to.include({ cron: "0 8 * * 1" });
    expect(created.attachmentField).to.equal("Invoice");

    const choose = (action: string) => chooseAction(page, "Invoices", action);
    await choose("Run now");
    await waitForText(page, "2 documents");
    await choose("Run now");
    await waitForText(page, "Nothing new");
    const runs = await fetchRuns(caller, id);
    expect(runs.map(({ status }) => status)).to.deep.equal([
      "empty",
      "accepted",
    ]);

    await choose("Edit");
    await chooseOption(page, "When", "Custom", "dialog");
    await fillField(page, "Cron expression", "0 8 31 2 *", "dialog");
    await pressButton(page, "Save");
    await waitForText(page, "is never due");
    await expectRefusal(user(), 400);
    await chooseOption(
      page,
      "When",
      "When a record is added or changed",
      "dialog",
    );
    await waitForText(page, "a run starts within seconds");
    await pressButton(page, "Save");
    await waitForDialogToClose(page);
    await waitForText(page, "checked every 5 minutes");
    await waitForText(page, "Changes are found at the interval only");
    await waitForText(page, "has no webhooks that Platen can create");
    await waitForText(page, "/api/automations/notices/");
    await choose("Pause");
    await waitForText(page, "No next run");
    await choose("Resume");
    await waitForText(page, "Next run:");
    // Without a place, since the line of the next run moves those below.
    await page.$eval("a[href*='/batches/']", (link) => link.click());
    await waitForText(page, name);
    await user().open("automations");
    await waitForText(page, "checked every 5 minutes");
    await choose("Delete");
    await pressButton(page, "Delete");
    await waitForText(page, "No automations yet");
  });

  it("sees a batch as done only when its files are saved to the table", async () => {
    platform.beforeCall = (what) => {
      if (what === "writeBack")
        throw new PlatformError("forbidden", "The token may not write.");
    };
    const toField = { attachmentField: "Invoice" };
    const { batchId } = await sendRecords(caller, ["A", "B"], toField);
    await waitForWriteBacks(caller, batchId);
    await user().open("batches");
    await waitForText(page, "2 files not saved");
    expect(await page.$$(".badge.good")).to.have.length(0);
    await user().open(`batches/${batchId}`);
    await waitForText(page, "2 files not saved");
    await waitForCount(page, ".document", 2);
    await waitForText(page, "Not saved", "The token may not write.");
    expect(await page.$$(".badge.good")).to.have.length(0);
    platform.beforeCall = () => undefined;
    await pressButton(page, "Retry failed files");
    await waitForCount(page, ".badge.good", 3);
    expect(await page.$$(".badge.warn")).to.have.length(0);
  });

  it("is led to the connections while there is none", async () => {
    await setSession(service, page, await newVisitor(service, "editor"));
    await user().open("automations");
    await waitForText(page, "Automations read a table or spreadsheet.");
    await pressButton(page, "Connect yours");
    await waitForText(page, "No connections yet");
  });
});

const field = (name: string) => `::-p-aria([name="${name}"])`;
const textbox = (name: string) => `::-p-aria([name="${name}"][role="textbox"])`;
const readConnection = reader(connectionSchema);
const readTemplate = reader(templateSchema);
const schema = toSchema({
  root: "email String, name String, number String, customer OneToOneLink people, lines OneToManyLink people",
  people: "city String",
});

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
    const useSftp = useSftpServer();

    it("is set up on a template's page, shown on the batch's page, and retried there", async () => {
      const sftp = useSftp();
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
      await pressButtons(page, "number", "Save");
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
