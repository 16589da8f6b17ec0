import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { parseConfig } from "../../config/index.js";
import { countUsage } from "../../core/accounts/index.js";
import { Numbers } from "../../core/documents/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { issueCertificate, toPkcs12 } from "../support/certificates.js";
import { pluginFolder } from "../support/plugin-folder.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { publish } from "../support/store.js";
import {
  chooseAction,
  expectRefusal,
  newVisitor,
  pressButton,
  pressButtons,
  readSecret,
  type StudioUser,
  setSession,
  useBrowser,
  usePage,
  waitForButton,
  waitForCount,
  waitForDialogToClose,
  waitForText,
} from "../support/studio.js";
import { allowBatches } from "../support/wizard-shop.js";

const DAY = 24 * 60 * 60_000;

describe("an administrator in the studio", () => {
  const { plugins } = parseConfig({
    PLATEN_PLUGIN_FOLDER: pluginFolder(
      { name: "ledger" },
      { name: "faulty", code: 'throw new Error("no ink");' },
    ),
  });
  const service = useService({ config: { plugins } });
  const open = useBrowser();
  const owner = usePage(service, "owner", { width: 1280 }, open);
  const folder = suiteFolder();
  let page: StudioUser["page"];
  before(() => {
    ({ page } = owner());
  });

  const statusWith = async (key: string) => {
    const headers = { "x-api-key": key };
    return (await fetch(`${service.url}/api/templates`, { headers })).status;
  };

  it("creates a key, which is shown once, works, and is revoked", async () => {
    await owner().open("");
    await pressButton(page, "API keys");
    await waitForText(page, "No keys yet");
    await pressButton(page, "New key");
    await page.locator("#key-name").fill("Web shop");
    await pressButton(page, "Create key");
    const key = await readSecret(page);
    expect(await statusWith(key)).to.equal(200);
    await pressButton(page, "I've saved it");
    const focused = await page.evaluate("document.activeElement.innerText");
    expect(focused, "the focus goes back").to.include("New key");
    await waitForText(page, "Web shop");
    expect(await page.content()).to.not.include(key);
    await pressButtons(page, "Revoke Web shop", "Revoke");
    await waitForText(page, "Revoked");
    expect(await statusWith(key)).to.equal(401);
  });

  it("invites someone by a link that is shown once, changes their role and removes them, but never the last owner", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await owner().open("people");
    await pressButton(page, "Invite someone");
    await page.locator("#person-name").fill("Grace");
    await page.locator("#person-email").fill(email);
    await pressButton(page, "Invite", "dialog");
    await waitForText(page, "Sign-in link for Grace");
    const url = await readSecret(page);
    await pressButton(page, "Done");
    await waitForText(page, email);
    expect(await page.content()).to.not.include(url);

    const theirs = await open({ width: 1280 });
    await theirs.goto(url);
    await pressButton(theirs, "Sign in");
    await waitForText(theirs, "Grace");
    await waitForButton(theirs, "Connections");
    expect(await theirs.$$("::-p-aria(People)")).to.have.length(0);
    await page.bringToFront();

    const change = async (name: string, role: string) => {
      await chooseAction(page, name, "Change role");
      await page.locator(`dialog ::-p-text(${role})`).click();
      await pressButton(page, "Change role", "dialog");
    };
    await change("Ada", "Viewer");
    await waitForText(page, "This is the last owner of the organization");
    await pressButton(page, "Cancel");
    await change("Grace", "Viewer");
    await waitForDialogToClose(page);
    await chooseAction(page, "Grace", "Remove");
    await pressButton(page, "Remove", "dialog");
    await waitForText(page, "Grace was removed.");
    const people = await (await owner().get("/studio/api/people")).text();
    expect(people).to.include('"owner"').and.not.include(email);
    await expectRefusal(owner(), 409);
  });

  it("sees the documents of a month by day, plotted and in a table", async () => {
    const { organizationId } = owner();
    await service.store.unitOfWork.run(async (tx) => {
      for (const [day, amount] of [
        ["2026-02-03T23:59:59Z", 1200],
        ["2026-02-28T00:00:00Z", 30],
        ["2026-03-01T00:00:00Z", 7],
      ] as const)
        await countUsage(
          tx,
          organizationId,
          "documents",
          amount,
          new Date(day),
        );
    });
    await owner().open("usage");
    await waitForText(page, "No documents this month");
    await owner().open("usage?month=2026-03");
    await waitForText(page, "7 documents");
    await pressButton(page, "Previous month");
    await waitForText(page, "1,230 documents");
    const bars = await page.$$eval(".bar-mark", (all) =>
      all.map((bar) => Number(bar.getAttribute("height"))),
    );
    expect(bars).to.have.length(28);
    expect((bars[2] ?? 0) / (bars[27] ?? 1)).to.be.closeTo(40, 0.01);
    expect(bars.filter((height) => height > 0)).to.have.length(2);
    await pressButton(page, "As a table");
    await waitForText(page, "Feb 3, 2026\t1,200");
  });

  it("sees the numbers that are open, and sets the next one", async () => {
    const { organizationId } = owner();
    await owner().open("numbers");
    await waitForText(page, "No numbers yet");
    const numbers = service.container.resolve(Numbers);
    const pattern = "RE-{yyyy}-{0000}";
    const dated = "RE-2027-{0000}";
    const use = { name: "invoices", pattern, period: "2027", dated };
    const reserve = (documentId: string) =>
      numbers.reserve(
        { organizationId, documentId, lockToken: null },
        [use],
        Date.now() + 60_000,
      );
    const failed = await reserve("doc_failed");
    await reserve("doc_printing");
    await numbers.release(failed);
    await page.reload();
    await waitForText(page, "RE-2027-0003");
    await pressButton(page, "2 open numbers");
    await waitForText(page, "RE-2027-0001 goes to the next document");
    await waitForText(page, "RE-2027-0002 reserved for doc_printing");

    await pressButton(page, "Change the next number of invoices 2027");
    await waitForText(page, "2 numbers from RE-2027-0001 on are still open");
    const set = async (value: string) => {
      await page.locator("dialog input").fill(value);
      await pressButton(page, "Set next number");
    };
    await set("2");
    await waitForText(page, 'Number 2 of the sequence "invoices" exists');
    await set("418");
    await waitForText(page, "The next new number is RE-2027-0418.");
    const [stored] = await numbers.list(organizationId);
    expect(stored).to.include({ nextValue: 418, pattern });
    await pressButton(page, "Changes in the audit log");
    await waitForText(page, "invoices: from 3 to 418");
    await expectRefusal(owner(), 409);
  });

  it("adds a signing certificate from a file, replaces it before it expires, and deletes it", async () => {
    const choose = async (name: string, validUntil: Date) => {
      const path = join(folder, `${name}.p12`);
      const key = "P-256";
      const certificate = issueCertificate({ name, key, validUntil });
      await writeFile(path, await toPkcs12(certificate));
      const input = page.locator("dialog input[type=file]");
      await (await input.waitHandle()).uploadFile(path);
      await waitForText(page, `${name}.p12`);
    };
    const enterPassword = async (password: string) => {
      await page.locator("dialog input[type=password]").fill(password);
      await pressButton(page, "Save");
    };
    await owner().open("certificate");
    await waitForText(page, "No certificate yet");
    await pressButtons(page, "Add a certificate", "Save");
    await waitForText(page, "Choose the file of the certificate first.");
    await choose("Invoices", new Date(Date.now() + 10 * DAY));
    await enterPassword("wrong");
    await waitForText(page, "cannot be decrypted with this password");
    await enterPassword("secret");
    await waitForText(page, "CN=Invoices", "The certificate expires on");
    await pressButton(page, "Replace the certificate");
    await choose("Receipts", new Date(Date.now() + 100 * DAY));
    await enterPassword("secret");
    await waitForText(page, "CN=Receipts");
    const text = await page.evaluate("document.body.innerText");
    expect(text).to.not.include("expires on");
    await pressButton(page, "Delete");
    await waitForText(page, "Delete the certificate?");
    await page.locator("dialog .danger").click();
    await waitForText(page, "No certificate yet");
    const { status } = await owner().get("/api/signing-certificate");
    expect(status).to.equal(404);
    await expectRefusal(owner(), 400);
    await expectRefusal(owner(), 404);
  });

  it("finds in the audit log who did what, by action and day", async () => {
    const id = await publish(service.store, owner(), { name: "Invoice" });
    await owner().send("DELETE", `/api/templates/${id}`);
    await owner().open("audit");
    await page.waitForSelector(".act ::-p-text(Template moved to trash)");
    await page.waitForSelector(".act ::-p-text(Ada, in the studio)");
    await page.locator("select").fill("template.trashed");
    await waitForCount(page, ".act", 1);
    const act = await page.$eval(".act", (one) => one.textContent);
    expect(act).to.include("Invoice");
    await page.locator("input[type=date]").fill("2031-01-01");
    await waitForText(page, "No matching entries");
    await pressButton(page, "Show all");
    await page.waitForSelector(".act ::-p-text(Sign-in link created)");
  });

  it("sees why a plugin cannot be used", async () => {
    await owner().open("plugins");
    await waitForText(page, "It failed to load: no ink");
    await waitForText(page, "Follows links between tables");
    const lines = await page.$$eval(".plugin", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(lines.find((line) => line.startsWith("ledger"))).to.match(
      /version 1\.2\.3.*Ready.*tokenRequiredSecret/,
    );
  });
});

describe("a member who may only", () => {
  const service = useService();
  const user = usePage(service, "owner");
  let owner: StudioUser;
  let templateId: string;
  let batchId: string;
  before(async () => {
    owner = user();
    await allowBatches(service, owner);
    templateId = await publish(service.store, owner, { name: "Quote" });
    const items = [{ data: { name: "Eve", prototype: 1 } }];
    const order = { templateId, formats: ["html"], items };
    ({ batchId } = await sendBatch(owner, order));
    await batchWhen(owner, batchId);
    const sequence = { pattern: "K{000}", nextValue: 70 };
    await owner.put("/api/sequences/customers", sequence);
  });

  const signIn = async (role: "editor" | "viewer") => {
    const visitor = await newVisitor(service, role, owner.organizationId);
    await setSession(service, owner.page, visitor);
    return owner;
  };

  it("edit sees the owners' pages without their buttons, or is told whose they are", async () => {
    const editor = await signIn("editor");
    const { page } = editor;
    await editor.open("certificate");
    await waitForText(page, "Only owners can open this page");
    await editor.open("plugins");
    await waitForText(page, "Only owners can open this page");
    for (const path of ["connections", "webhooks"]) {
      await editor.open(path);
      await waitForText(page, "An owner of your organization can add one");
      expect(await page.$$("main button"), path).to.have.length(0);
    }
  });

  it("look sees templates, batches and numbers, and can change none", async () => {
    const viewer = await signIn("viewer");
    const { page } = viewer;
    await viewer.open("");
    await waitForText(page, "Quote");
    expect(await page.$$("main button, .first-steps")).to.have.length(0);
    await viewer.open(`templates/${templateId}`);
    await waitForText(page, "You have read-only access");
    await viewer.open(`batches/${batchId}`);
    await waitForText(page, "Failed 1");
    const read = () => page.$eval("main", (main) => main.innerText);
    expect(await read()).to.not.match(/Retry|Cancel/);
    await viewer.open("numbers");
    await waitForText(page, "K070");
    expect(await read()).to.not.include("Change");
    await viewer.open("start");
    await waitForText(page, "Only editors can do this");
  });
});
