import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import { FakeGoogle } from "../support/fakes/fake-google.js";
import { useService } from "../support/service.js";
import {
  pressButton,
  runAxe,
  signInAs,
  useStudio,
  waitForHeading,
  waitForText,
} from "../support/studio.js";

const list = z.object({
  data: z.array(z.object({ credentials: z.record(z.string(), z.unknown()) })),
});

describe("Continue with Google in the studio", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const signIn = useStudio(service);
  let fake: FakeGoogle;
  before(async () => {
    fake = await FakeGoogle.start();
  });
  after(() => fake.close());

  it("creates a connection with one's own client and renews its consent", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const redirectUri = `${service.url}/studio/connections/return`;
    const client = fake.accounts.consent.addClient(redirectUri);
    const field = (name: string) =>
      page.locator(`::-p-aria([name='${name}'][role='textbox'])`);
    const answerAtGoogle = async (answer: string) => {
      await page.locator("h1::-p-text(Platen wants access)").wait();
      await page.locator("input[name=email]").fill("anna@example.com");
      await page.locator(`button[value=${answer}]`).click();
    };
    await pressButton(page, "Connections");
    await pressButton(page, "New connection");
    await pressButton(page, "Google Sheets");
    await waitForText(page, redirectUri);
    await page.locator("#connection-name").fill("Sales");
    await field("OAuth client id").fill(client.clientId);
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "More settings");
    await field("Address in place of Google's").fill(fake.url);
    expect(await runAxe(page)).to.deep.equal([]);
    await pressButton(page, "Continue with Google");
    await answerAtGoogle("deny");
    await waitForText(page, "you did not give your consent");
    expect(new URL(page.url()).search).to.equal("");
    await pressButton(page, "Back");
    await waitForText(page, "No connections yet");

    await pressButton(page, "New connection");
    await pressButton(page, "Google Sheets");
    await page.locator("#connection-name").fill("Sales");
    await field("OAuth client id").fill(client.clientId);
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "More settings");
    await field("Address in place of Google's").fill(fake.url);
    await field("Columns that accept links to files").fill("Bill\nNote");
    await pressButton(page, "Continue with Google");
    await answerAtGoogle("allow");
    await waitForText(page, "Sales works");
    await waitForHeading(page, "Connections");
    await waitForText(page, "Working");

    await pressButton(page, "Continue with Google for Sales");
    await answerAtGoogle("allow");
    await waitForText(page, "Sales works");
    await waitForHeading(page, "Connections");

    await pressButton(page, "Change the credentials of Sales");
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "Continue with Google");
    await answerAtGoogle("allow");
    await waitForText(page, "Sales works");
    const visitor = await signInAs(service, owner);
    const kept = await visitor.get("/api/connections");
    const { data } = list.parse(await kept.json());
    expect(data.map(({ credentials }) => credentials)).to.deep.equal([
      {
        clientId: client.clientId,
        endpointUrl: fake.url,
        fileColumns: ["Bill", "Note"],
      },
    ]);
    expect(await page.content()).to.not.include("refresh-");
    // The browser reports the refusal of the first attempt itself.
    expect(pageErrors.filter((one) => !one.includes("409"))).to.deep.equal([]);
  });

  it("creates a connection to Google Drive for deliveries and renews its consent", async () => {
    const { page, pageErrors } = await signIn();
    const redirectUri = `${service.url}/studio/connections/return`;
    const client = fake.accounts.consent.addClient(redirectUri);
    const field = (name: string) =>
      page.locator(`::-p-aria([name='${name}'][role='textbox'])`);
    const allow = async () => {
      await page.locator("h1::-p-text(Platen wants access)").wait();
      await page.locator("input[name=email]").fill("anna@example.com");
      await page.locator("button[value=allow]").click();
      await waitForText(page, "Archive works");
      await waitForHeading(page, "Connections");
    };
    await pressButton(page, "Connections");
    await pressButton(page, "New connection");
    await pressButton(page, "Google Drive");
    await waitForText(page, redirectUri);
    await page.locator("#connection-name").fill("Archive");
    await field("OAuth client id").fill(client.clientId);
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "More settings");
    await field("Address in place of Google's").fill(fake.url);
    await pressButton(page, "Continue with Google");
    await allow();
    await waitForText(page, "Working");
    await pressButton(page, "Continue with Google for Archive");
    await allow();
    await pressButton(page, "Change the credentials of Archive");
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "Continue with Google");
    await allow();
    expect(pageErrors).to.deep.equal([]);
  });

  it("goes on with the steps from a table to a button", async () => {
    const { page } = await signIn();
    const redirectUri = `${service.url}/studio/connections/return`;
    const client = fake.accounts.consent.addClient(redirectUri);
    fake.addSpreadsheet("Orders", ["bo@example.com"], {
      Orders: [["ID"], ["1"]],
    });
    const field = (name: string) =>
      page.locator(`::-p-aria([name='${name}'][role='textbox'])`);
    await page.goto(`${service.url}/studio/start`);
    await pressButton(page, "Google Sheets");
    await field("OAuth client id").fill(client.clientId);
    await field("OAuth client secret").fill(client.clientSecret);
    await pressButton(page, "More settings");
    await field("Address in place of Google's").fill(fake.url);
    await pressButton(page, "Continue with Google");
    await page.locator("input[name=email]").fill("bo@example.com");
    await page.locator("button[value=allow]").click();
    await waitForHeading(page, "Choose the table");
    await page.waitForSelector("section[aria-label=Orders]");
  });
});
