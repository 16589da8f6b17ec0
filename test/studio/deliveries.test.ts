import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
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
  waitForText,
} from "../support/studio.js";

const readConnections = reader(pageSchema(connectionSchema));

describe("the delivery of documents in the studio", () => {
  const server = useMailServer();
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } },
  });
  const signIn = useStudio(service);

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
      const fields = page.locator(
        '::-p-aria([name="Insert field into Folder"][role="combobox"])',
      );
      const options = await page.$$eval(
        'select[aria-label="Insert field into Folder"] option',
        (all) => all.map((one) => one.textContent),
      );
      expect(options.slice(1)).to.deep.equal(["year", "customer.name"]);
      await fields.fill("root.year");
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
