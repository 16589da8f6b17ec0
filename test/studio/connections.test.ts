import { expect } from "chai";
import { describe, it } from "mocha";
import { AuditEvent } from "../../core/storage/database/index.js";
import { useService } from "../support/service.js";
import {
  pressButton,
  waitForText,
  useStudio,
  signInAs,
} from "../support/studio.js";

describe("connections in the studio", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are created with the plugin's own form, tested, renamed and deleted", async () => {
    const { page, pageErrors } = await signIn();
    await pressButton(page, "Connections");
    await waitForText(page, "No connections yet");
    await pressButton(page, "New connection");
    await page.locator(".target::-p-text(Demo)").click();
    await page.locator("#connection-name").fill("Contracts");
    await pressButton(page, "Save and test");
    await waitForText(page, "Contracts works");
    await pressButton(page, "Test Contracts");
    await waitForText(page, "send the signers their links yourself");
    await pressButton(page, "Rename Contracts");
    await page.locator("dialog input").fill("Agreements");
    await pressButton(page, "Rename");
    await pressButton(page, "Delete Agreements");
    await pressButton(page, "Delete");
    await waitForText(page, "No connections yet");
    expect(pageErrors).to.deep.equal([]);
  });

  it("hide secrets and show why a connection fails", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await pressButton(page, "Connections");
    await pressButton(page, "New connection");
    await pressButton(page, "Airtable");
    const token = "::-p-aria([name='Personal access token'])";
    await page.locator(token).fill("pat-very-secret");
    const kind = await page.$eval(token, (one) => one.getAttribute("type"));
    expect(kind).to.equal("password");
    await pressButton(page, "More settings");
    const api = "::-p-aria([name='API address'])";
    await page.locator(api).fill("http://127.0.0.1:9");
    await pressButton(page, "Save and test");
    await waitForText(page, "Failing");
    await page.waitForSelector(".why");
    const visitor = await signInAs(service, owner);
    const kept = await (await visitor.get("/api/connections")).text();
    expect(kept).to.include('"state":"failing"');
    expect(kept + (await page.content())).to.not.include("very-secret");
    expect(pageErrors).to.deep.equal([]);
  });

  it("ask only for the settings of the chosen database", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await pressButton(page, "Connections");
    await pressButton(page, "New connection");
    await page.locator(".target::-p-text(SQL database)").click();
    const engine = "::-p-aria([name='Database'][role='combobox'])";
    await page.waitForSelector(engine);
    const listLabels = () =>
      page.$$eval("dialog form :is(label[for], .check .words)", (all) =>
        all.map((one) => one.firstChild?.textContent),
      );
    const general = ["Allow writing files", "Columns for links to files"];
    expect(await listLabels()).to.deep.equal(["Name", "Database", ...general]);
    await page.locator(engine).fill("postgres");
    await waitForText(page, "Certificate authority");
    await page.locator("::-p-aria([name='Server'])").fill("db.example.com");
    await page.locator(engine).fill("sqlite");
    await page.waitForSelector("::-p-aria([name='File'])");
    expect(await listLabels()).to.deep.equal([
      "Name",
      "Database",
      "File",
      ...general,
    ]);
    await page.locator("::-p-aria([name='File'])").fill("shop.sqlite");
    await pressButton(page, "Save and test");
    await waitForText(page, "Failing");
    const visitor = await signInAs(service, owner);
    const kept = await (await visitor.get("/api/connections")).text();
    expect(kept).to.include(
      '"credentials":{"engine":"sqlite","file":"shop.sqlite"',
    );
    expect(pageErrors).to.deep.equal([]);
  });

  it("get new credentials when the secrets are entered again", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const visitor = await signInAs(service, owner);
    const endpointUrl = "http://127.0.0.1:9";
    const credentials = { token: "pat-old", endpointUrl };
    const order = { platform: "airtable", name: "Shop", credentials };
    const made = await visitor.send("POST", "/api/connections", order);
    expect(made.status, await made.text()).to.equal(201);
    await pressButton(page, "Connections");
    await pressButton(page, "Change the credentials of Shop");
    await pressButton(page, "More settings");
    const api = "::-p-aria([name='API address'])";
    await page.waitForSelector(api);
    expect(await page.$eval(api, (one) => Reflect.get(one, "value"))).to.equal(
      endpointUrl,
    );
    const token = "::-p-aria([name='Personal access token'])";
    expect(
      await page.$eval(token, (one) => Reflect.get(one, "value")),
    ).to.equal("");
    await page.locator(token).fill("pat-new");
    await pressButton(page, "Save and test");
    await waitForText(page, "Platen couldn't connect to it");
    const noted = await service.store.read.findOneByOrFail(AuditEvent, {
      organizationId: owner.organizationId,
      action: "connection.changed",
    });
    expect(noted.details).to.include({ hasNewCredentials: true });
    expect(pageErrors).to.deep.equal([]);
  });

  const settings = {
    endpointUrl: "http://127.0.0.1:9",
    keyColumns: { Orders: "No" },
    links: [{ sheet: "Lines", column: "Order", to: "Orders" }],
    fileColumns: ["Invoice", "Delivery note"],
  };
  const kinds: [string, object][] = [
    ["lists and objects", settings],
    [
      "empty lists and objects",
      { ...settings, keyColumns: {}, links: [], fileColumns: [] },
    ],
  ];
  for (const [what, expected] of kinds)
    it(`keep ${what} when their credentials are changed`, async () => {
      const { page, pageErrors, ...owner } = await signIn();
      const visitor = await signInAs(service, owner);
      const credentials = { ...expected, serviceAccount: "{}" };
      const order = { platform: "google-sheets", name: "Sales", credentials };
      const made = await visitor.send("POST", "/api/connections", order);
      expect(made.status, await made.text()).to.equal(201);
      await pressButton(page, "Connections");
      await pressButton(page, "Change the credentials of Sales");
      const key = "::-p-aria([name='Service account key'])";
      await page.locator(key).fill('{"new":true}');
      await pressButton(page, "Save and test");
      await waitForText(page, "Platen couldn't connect to it");
      const kept: unknown = await (
        await visitor.get("/api/connections")
      ).json();
      expect(kept)
        .nested.property("data[0].credentials")
        .to.deep.equal(expected);
      expect(pageErrors).to.deep.equal([]);
    });

  it("are read-only for everyone except owners", async () => {
    const { page, ...editor } = await signIn("editor");
    await pressButton(page, "Connections");
    await waitForText(page, "An owner of your organization can add one");
    expect(await page.$$("main button")).to.have.length(0);
    const visitor = await signInAs(service, editor);
    const order = { provider: "demo-esign", name: "Mine", credentials: {} };
    const rejected = await visitor.send("POST", "/api/connections", order);
    expect(await rejected.text()).to.include("connections:write");
  });
});
