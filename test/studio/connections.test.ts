import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { z } from "zod";
import { eventually } from "../support/eventually.js";
import { FakeGoogle } from "../support/fakes/fake-google.js";
import { useServer } from "../support/fakes/fake-server.js";
import { useService } from "../support/service.js";
import {
  expectRefusal,
  fillField,
  newVisitor,
  pressButton,
  pressButtons,
  readField,
  setSession,
  type TestVisitor,
  usePage,
  waitForButton,
  waitForHeading,
  waitForText,
} from "../support/studio.js";

const list = z.object({
  data: z.array(
    z.object({ name: z.string(), credentials: z.record(z.string(), z.any()) }),
  ),
});

describe("connections in the studio", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const user = usePage(service, "owner");
  let page: Page;
  let owner: TestVisitor;
  before(() => {
    ({ page } = user());
  });
  beforeEach(async () => {
    owner = await newVisitor(service);
    await setSession(service, page, owner);
    await user().open("connections");
  });

  const start = async (platform: string) => {
    await pressButton(page, "New connection");
    await page.locator(`.target::-p-text(${platform})`).click();
  };
  const create = async (order: object) => {
    const made = await owner.send("POST", "/api/connections", order);
    expect(made.status, await made.text()).to.equal(201);
    await page.reload();
  };
  const read = async () =>
    list.parse(await (await owner.get("/api/connections")).json()).data;

  const answerAtGoogle = async (value: string, email = "anna@example.com") => {
    await page.locator("h1::-p-text(Platen wants access)").wait();
    await page.locator("input[name=email]").fill(email);
    await page.locator(`button[value=${value}]`).click();
  };
  const waitUntilWorking = async (name: string) => {
    await waitForText(page, `${name} works`);
    await waitForHeading(page, "Connections");
  };

  it("are created with the plugin's own form, tested, renamed and deleted", async () => {
    await waitForText(page, "No connections yet");
    await start("Demo");
    await page.locator("#connection-name").fill("Contracts");
    await pressButton(page, "Save and test");
    await waitForText(page, "Contracts works");
    await pressButton(page, "Test Contracts");
    await waitForText(page, "send the signers their links yourself");
    await pressButton(page, "Rename Contracts");
    await page.locator("dialog input").fill("Agreements");
    await pressButtons(page, "Rename", "Delete Agreements", "Delete");
    await waitForText(page, "No connections yet");
  });

  it("hide secrets, show why a connection fails, and get new credentials when the secrets are entered again", async () => {
    const endpoint = "http://127.0.0.1:9";
    await start("Airtable");
    await fillField(page, "Personal access token", "pat-very-secret");
    expect(await page.$$("dialog input[type=password]")).to.have.length(1);
    await pressButton(page, "More settings");
    await fillField(page, "API address", endpoint);
    await pressButton(page, "Save and test");
    await waitForText(page, "Failing");
    await page.waitForSelector(".why");
    const stored = await (await owner.get("/api/connections")).text();
    expect(stored).to.include('"state":"failing"');
    expect(stored + (await page.content())).to.not.include("very-secret");

    await pressButton(page, "Change the credentials of Airtable");
    await pressButton(page, "More settings");
    expect(await readField(page, "API address")).to.equal(endpoint);
    expect(await readField(page, "Personal access token")).to.equal("");
    await fillField(page, "Personal access token", "pat-new");
    await pressButton(page, "Save and test");
    await eventually(async () => {
      const path = "/studio/api/audit?action=connection.changed";
      const log = await (await owner.get(path)).text();
      return log.includes('"hasNewCredentials":true');
    });
  });

  it("ask only for the settings of the chosen database", async () => {
    await start("SQL database");
    await waitForButton(page, "Database");
    const listLabels = () =>
      page.$$eval("dialog form :is(label[for], .check .words)", (all) =>
        all.map((one) => one.firstChild?.textContent),
      );
    const general = ["Allow writing files", "Columns for links to files"];
    expect(await listLabels()).to.deep.equal(["Name", "Database", ...general]);
    await fillField(page, "Database", "postgres");
    await waitForText(page, "Certificate authority");
    await fillField(page, "Server", "db.example.com");
    await fillField(page, "Database", "sqlite");
    await waitForButton(page, "File");
    expect(await listLabels()).to.deep.equal([
      "Name",
      "Database",
      "File",
      ...general,
    ]);
    await fillField(page, "File", "shop.sqlite");
    await pressButton(page, "Save and test");
    await waitForText(page, "Failing");
    const [connection] = await read();
    expect(connection?.credentials).to.include({
      engine: "sqlite",
      file: "shop.sqlite",
    });
    expect(connection?.credentials).to.not.have.property("server");
  });

  it("keep lists and objects, empty ones too, when their credentials are changed", async () => {
    const settings = {
      endpointUrl: "http://127.0.0.1:9",
      keyColumns: { Orders: "No" },
      links: [{ sheet: "Lines", column: "Order", to: "Orders" }],
      fileColumns: ["Invoice", "Delivery note"],
    };
    const empty = { ...settings, keyColumns: {}, links: [], fileColumns: [] };
    for (const [name, expected] of [
      ["Sales", settings],
      ["Archive", empty],
    ] as const) {
      const credentials = { ...expected, serviceAccount: "{}" };
      await create({ platform: "google-sheets", name, credentials });
      await pressButton(page, `Change the credentials of ${name}`);
      await fillField(page, "Service account key", '{"new":true}');
      await pressButton(page, "Save and test");
      await waitForText(page, "Platen couldn't connect to it");
      const connection = (await read()).find((one) => one.name === name);
      expect(connection?.credentials).to.deep.equal(expected);
    }
  });

  describe("by Continue with Google", () => {
    const fake = useServer(new FakeGoogle());
    let redirectUri: string;
    before(() => {
      redirectUri = `${service.url}/studio/connections/return`;
    });

    const fillClient = async (columns?: string) => {
      const client = fake.accounts.consent.addClient(redirectUri);
      const fill = (label: string, text: string) =>
        fillField(page, label, text);
      await fill("OAuth client id", client.clientId);
      await fill("OAuth client secret", client.clientSecret);
      await pressButton(page, "More settings");
      await fill("Address in place of Google's", fake.url);
      if (columns !== undefined)
        await fill("Columns that accept links to files", columns);
      await pressButton(page, "Continue with Google");
      return client;
    };
    it("have one's own client, and renew its consent", async () => {
      await start("Google Sheets");
      await waitForText(page, redirectUri);
      await page.locator("#connection-name").fill("Sales");
      await fillClient();
      await answerAtGoogle("deny");
      await waitForText(page, "you did not give your consent");
      expect(new URL(page.url()).search).to.equal("");
      await pressButton(page, "Back");
      await waitForText(page, "No connections yet");

      await start("Google Sheets");
      await page.locator("#connection-name").fill("Sales");
      const { clientId, clientSecret } = await fillClient("Bill\nNote");
      await answerAtGoogle("allow");
      await waitUntilWorking("Sales");
      await waitForText(page, "Working");
      await pressButton(page, "Continue with Google for Sales");
      await answerAtGoogle("allow");
      await waitUntilWorking("Sales");
      await pressButton(page, "Change the credentials of Sales");
      await fillField(page, "OAuth client secret", clientSecret);
      await pressButton(page, "Continue with Google");
      await answerAtGoogle("allow");
      await waitUntilWorking("Sales");
      expect((await read()).map(({ credentials }) => credentials)).to.eql([
        { clientId, endpointUrl: fake.url, fileColumns: ["Bill", "Note"] },
      ]);
      expect(await page.content()).to.not.include("refresh-");
      // The browser reports the refusal of the first attempt itself.
      await expectRefusal(user(), 409);
    });

    it("deliver to Google Drive", async () => {
      await start("Google Drive");
      await waitForText(page, redirectUri);
      await page.locator("#connection-name").fill("Archive");
      await fillClient();
      await answerAtGoogle("allow");
      await waitUntilWorking("Archive");
    });

    it("go on with the steps from a table to a button", async () => {
      fake.addSpreadsheet("Orders", ["bo@example.com"], {
        Orders: [["ID"], ["1"]],
      });
      await user().open("start");
      await page.locator(".target::-p-text(Google Sheets)").click();
      await fillClient();
      await answerAtGoogle("allow", "bo@example.com");
      await waitForHeading(page, "Choose the table");
      await page.waitForSelector("section[aria-label=Orders]");
    });
  });
});
