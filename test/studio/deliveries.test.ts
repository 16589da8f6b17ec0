import { expect } from "chai";
import { describe, it } from "mocha";
import { connectionSchema } from "../../core/api/routes/connections.js";
import { pageSchema } from "../../core/api/schemas.js";
import { reader } from "../support/caller.js";
import { useMailServer } from "../support/mail-server.js";
import { useService } from "../support/service.js";
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
});
