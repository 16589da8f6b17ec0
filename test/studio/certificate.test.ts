import { expect } from "chai";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { SigningCertificate } from "../../core/storage/database/index.js";
import { issueCertificate, toPkcs12 } from "../support/certificates.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { pressButton, useStudio, waitForText } from "../support/studio.js";

const DAY = 24 * 60 * 60_000;

describe("the signing certificate in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);
  const folder = suiteFolder();

  it("is added from a file, shown, replaced before it expires, and deleted", async () => {
    const { page, pageErrors, organizationId } = await signIn("owner");
    const choose = async (name: string, validUntil: Date) => {
      const path = join(folder, `${name}.p12`);
      await writeFile(
        path,
        await toPkcs12(issueCertificate({ name, validUntil })),
      );
      const input = page.locator("dialog input[type=file]");
      await (await input.waitHandle()).uploadFile(path);
      await waitForText(page, `${name}.p12`);
    };
    await pressButton(page, "Signing certificate");
    await waitForText(page, "No certificate yet");
    await pressButton(page, "Add a certificate");
    await pressButton(page, "Save");
    await waitForText(page, "Choose the file of the certificate first.");
    await choose("Invoices", new Date(Date.now() + 10 * DAY));
    await page.locator("dialog input[type=password]").fill("wrong");
    await pressButton(page, "Save");
    await waitForText(page, "cannot be decrypted with this password");
    await page.locator("dialog input[type=password]").fill("secret");
    await pressButton(page, "Save");
    await waitForText(page, "CN=Invoices");
    await waitForText(page, "The certificate expires on");

    await pressButton(page, "Replace the certificate");
    await choose("Receipts", new Date(Date.now() + 100 * DAY));
    await page.locator("dialog input[type=password]").fill("secret");
    await pressButton(page, "Save");
    await waitForText(page, "CN=Receipts");
    const text = await page.evaluate("document.body.innerText");
    expect(text).to.not.include("expires on");

    await pressButton(page, "Delete");
    await waitForText(page, "Delete the certificate?");
    await page.locator("dialog .danger").click();
    await waitForText(page, "No certificate yet");
    const rows = await service.store.read.countBy(SigningCertificate, {
      organizationId,
    });
    expect(rows).to.equal(0);
    const unexpected = pageErrors.filter((one) => !/40[04]/.test(one));
    expect(unexpected).to.deep.equal([]);
  });

  it("is a page for owners only", async () => {
    const { page } = await signIn("editor");
    await page.goto(page.url().replace(/studio\/.*/, "studio/certificate"));
    await waitForText(page, "Only owners can open this page");
  });
});
