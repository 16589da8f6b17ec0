import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { operator, Users } from "../../core/accounts/index.js";
import { freePort } from "../support/free-port.js";
import {
  authorizationQuery,
  newVerifier,
  postForm,
  registerClient,
  tokensSchema,
} from "../support/oauth.js";
import { useService } from "../support/service.js";
import { newOwner } from "../support/store.js";
import {
  expectRefusal,
  linkFor,
  newPerson,
  pressButton,
  useBrowser,
  usePage,
  waitForCount,
  waitForText,
} from "../support/studio.js";
import { postMessage } from "../support/tool-client.js";

describe("an assistant that connects", () => {
  const service = useService();
  const open = useBrowser();
  const owner = usePage(service, "owner", { width: 1280 }, open);
  /** The assistant's own server, to which the browser is sent back. */
  let server: Server;
  let callback = "";

  before(async () => {
    const port = await freePort();
    callback = `http://127.0.0.1:${port}/callback`;
    server = createServer((_request, response) => {
      response.end("<title>back</title>the assistant goes on");
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function prepare() {
    const clientId = await registerClient(service, {
      client_name: "Claude",
      redirect_uris: [callback],
    });
    const verifier = newVerifier();
    const query = authorizationQuery(clientId, verifier, {
      redirect_uri: callback,
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
      redirect_uri: callback,
      code_verifier: verifier,
    });
    const { access_token: token } = tokensSchema.parse(await answer.json());
    const authorization = `Bearer ${token}`;
    const status = async () =>
      (await postMessage(service.url, { authorization })).status;
    expect(await status()).to.equal(200);
    await openPage("assistants");
    await waitForText(page, "Connected by Ada");
    await pressButton(page, "Disconnect Claude");
    await pressButton(page, "Disconnect");
    await waitForText(page, "No assistants connected");
    expect(await status()).to.equal(401);
    await openPage("audit");
    await waitForText(page, "Assistant disconnected");
  });

  it("is declined by a click and receives the error", async () => {
    const { page } = owner();
    await page.goto((await prepare()).url);
    await pressButton(page, "Cancel");
    await waitForText(page, "the assistant goes on");
    const { searchParams } = new URL(page.url());
    expect(searchParams.get("error")).to.equal("access_denied");
  });

  it("leads nowhere with a foreign redirect address, and back by a click alone without PKCE", async () => {
    const { page } = owner();
    const { url } = await prepare();
    await page.goto(
      url.replace(encodeURIComponent(callback), "https%3A%2F%2Fevil.example"),
    );
    await waitForText(page, "This app can't be connected");
    expectRefusal(owner(), 400);
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
    const other = await page.$$eval("#connect-organization option", (all) =>
      all.map((one) => one.value),
    );
    const viewed = other.find((id) => id !== organizationId) ?? "";
    await page.select("#connect-organization", viewed);
    await waitForCount(page, ".connect-scopes li", 2);
  });
});
