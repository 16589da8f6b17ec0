import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { operator, Users } from "../../core/accounts/index.js";
import { EVENT_TYPES } from "../../core/webhooks/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { useListener } from "../support/fakes/fake-server.js";
import {
  authorizationQuery,
  newVerifier,
  postForm,
  registerClient,
  tokensSchema,
} from "../support/oauth.js";
import { useService } from "../support/service.js";
import { newOwner, publish } from "../support/store.js";
import {
  expectRefusal,
  linkFor,
  newPerson,
  newVisitor,
  pressButton,
  pressButtons,
  readSecret,
  setSession,
  type TestVisitor,
  useBrowser,
  usePage,
  waitForCount,
  waitForText,
} from "../support/studio.js";
import { postMessage } from "../support/tool-client.js";
import { answers, useReceiver, verified } from "../support/webhooks.js";
import { allowBatches, shopOutbound } from "../support/wizard-shop.js";

describe("webhooks in the studio", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const receiver = useReceiver();
  const user = usePage(service, "owner");
  let page: Page;
  let owner: TestVisitor;
  before(() => {
    ({ page } = user());
  });
  beforeEach(async () => {
    owner = await newVisitor(service);
    await setSession(service, page, owner);
    receiver.forget();
    await user().open("webhooks");
  });

  it("are added, tested, viewed, resent and disabled, and get another secret that signs from then on", async () => {
    await waitForText(page, "No endpoints yet");
    await pressButton(page, "New endpoint");
    await page.waitForSelector("#webhook-url");
    const offered = await page.$$eval("input[type=checkbox]", (boxes) =>
      boxes.map(({ value }) => value),
    );
    expect(offered).to.have.members([...EVENT_TYPES]);
    await page.locator("#webhook-url").fill(receiver.url);
    await page.locator("#webhook-description").fill("The shop");
    await pressButton(page, "Create endpoint");
    const secret = await readSecret(page);
    await pressButtons(page, "I've saved it", "The shop");
    receiver.answer(answers(500, {}, "Out of paper"));
    await pressButton(page, "Send test message");
    await waitForText(page, "the receiver is in a private network");
    expect(await page.content()).to.not.contain("Out of paper");
    await page.waitForSelector("dialog ::-p-text(Failed)");
    receiver.answer(answers(204));
    await pressButton(page, "Resend");
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    const [first, again] = await receiver.waitFor(2);
    expect(again?.id).to.equal(first?.id);
    for (const arrived of receiver.received) verified(secret, arrived);
    await pressButton(page, "Close");

    await pressButton(page, "Rotate secret");
    await page.locator("::-p-text(Immediately)").click();
    await pressButton(page, "Rotate secret", "dialog");
    const next = await readSecret(page);
    expect(next).to.not.equal(secret);
    await pressButton(page, "I've saved it");
    receiver.forget();
    await pressButton(page, "Send test message");
    const [arrived] = await receiver.waitFor(1);
    if (arrived) verified(next, arrived);
    expect(await page.content()).to.not.include(next);
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    await pressButtons(page, "Close", "Disable");
    await waitForText(page, "Endpoint disabled");
  });

  it("that were missed overnight are resent, one by one or those of a time range, as the audit log shows", async () => {
    await allowBatches(service, owner);
    const endpoint = { url: receiver.url, description: "The shop" };
    await owner.post("/api/webhooks", endpoint);
    receiver.answer(answers(410));
    const templateId = await publish(service.store, owner);
    const items = [{ data: { name: "Ada" } }];
    const batch = { templateId, items, formats: ["html"] };
    await batchWhen(owner, (await sendBatch(owner, batch)).batchId);
    const [missed] = await receiver.waitFor(1);
    await page.reload();
    await pressButton(page, "The shop");
    await waitForText(page, "Endpoint disabled");
    receiver.answer(answers(204));
    await pressButton(page, "Enable");
    await page
      .locator("::-p-xpath(//li[contains(., 'answered 410')]//button)")
      .click();
    await waitForText(page, "the receiver is in a private network");
    await pressButton(page, "Resend");
    await waitForCount(page, "dialog section[aria-label=Attempts] li", 2);
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.filter((id) => id === missed?.id)).to.have.length(2);
    await pressButton(page, "Close");

    await pressButton(page, "Resend…");
    await page.locator("dialog ::-p-text(Both)").click();
    await pressButton(page, "Resend");
    await waitForText(page, "Resending 2 messages");
    await user().open("audit");
    for (const [act, who] of [
      ["Webhook changed", "Ada, in the studio"],
      ["Webhook disabled", "System, automatically"],
    ])
      await page.waitForFunction(
        `[...document.querySelectorAll(".act")].some(({ innerText }) =>
          innerText.includes("${act}") && innerText.includes("${who}"))`,
      );
  });
});

describe("an assistant that connects", () => {
  const service = useService();
  const open = useBrowser();
  const owner = usePage(service, "owner", { width: 1280 }, open);
  /** The assistant's own server, to which the browser is sent back. */
  const server = useListener((_request, response) => {
    response.end("<title>back</title>the assistant goes on");
  });
  const getCallback = () => `${server.url}/callback`;

  async function prepare() {
    const clientId = await registerClient(service, {
      client_name: "Claude",
      redirect_uris: [getCallback()],
    });
    const verifier = newVerifier();
    const query = authorizationQuery(clientId, verifier, {
      redirect_uri: getCallback(),
    });
    const url = `${service.url}/oauth/authorize?${query}`;
    return { clientId, verifier, url };
  }

  it("is allowed by a click, works, and is disconnected on its page", async () => {
    const { page, open: openPage } = owner();
    const { clientId, verifier, url } = await prepare();
    await page.goto(url);
    await waitForText(page, "Connect Claude to Platen?");
    await waitForText(page, "Create, change and trash templates and assets");
    await pressButton(page, "Allow");
    await waitForText(page, "the assistant goes on");
    const answer = await postForm(service, "/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code: new URL(page.url()).searchParams.get("code") ?? "",
      redirect_uri: getCallback(),
      code_verifier: verifier,
    });
    const { access_token: token } = tokensSchema.parse(await answer.json());
    const authorization = `Bearer ${token}`;
    const status = async () =>
      (await postMessage(service.url, { authorization })).status;
    expect(await status()).to.equal(200);
    await openPage("assistants");
    await waitForText(page, "Connected by Ada");
    await pressButtons(page, "Disconnect Claude", "Disconnect");
    await waitForText(page, "No assistants connected");
    expect(await status()).to.equal(401);
    await openPage("audit");
    await waitForText(page, "Assistant disconnected");
  });

  it("leads nowhere with a foreign redirect address, and back by a click alone without PKCE", async () => {
    const { page } = owner();
    const { url } = await prepare();
    await page.goto(
      url.replace(
        encodeURIComponent(getCallback()),
        "https%3A%2F%2Fevil.example",
      ),
    );
    await waitForText(page, "This app can't be connected");
    await expectRefusal(owner(), 400);
    expect(await page.$("main a[href^=https]")).to.equal(null);
    await page.goto(url.replace("code_challenge_method=S256", ""));
    await waitForText(page, "PKCE is required");
    await pressButton(page, "Back to 127.0.0.1");
    await waitForText(page, "the assistant goes on");
  });

  for (const [how, isSame] of [
    ["in the same tab", true],
    ["in another tab", false],
  ] as const)
    it(`is asked for after the person has signed in ${how}`, async () => {
      const page = await open({ width: 1280 });
      await page.goto((await prepare()).url);
      await waitForText(page, "Sign in to Platen");
      const other = isSame ? page : await page.browserContext().newPage();
      await other.goto(await linkFor(service, await newPerson(service)));
      await pressButton(other, "Sign in");
      await waitForText(other, "Connect Claude to Platen?");
    });

  it("gets access to the organization that the person chooses", async () => {
    const person = await newPerson(service, "viewer");
    const { organizationId } = await newOwner(service.store);
    const users = new Users(service.store);
    const place = { name: "Ada", email: person.email, role: "owner" } as const;
    await users.create(organizationId, place, operator);
    const page = await open({ width: 1280 });
    await page.goto((await prepare()).url);
    await waitForText(page, "Sign in to Platen");
    await page.goto(await linkFor(service, { ...person, organizationId }));
    await pressButton(page, "Sign in");
    await waitForCount(page, ".connect-scopes li", 4);
    const other = await page.$$eval("select option", (all) =>
      all.map((one) => one.value),
    );
    const viewed = other.find((id) => id !== organizationId) ?? "";
    await page.select("select", viewed);
    await waitForCount(page, ".connect-scopes li", 2);
  });
});
