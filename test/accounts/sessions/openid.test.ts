import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { CookieJar, newPerson } from "../../support/studio.js";
import { freePort } from "../../support/free-port.js";
import {
  end,
  isReturn,
  passProvider,
  signInBy,
  startProvider,
  type TestProvider,
} from "../../support/openid-provider.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";

describe("signing in by OpenID Connect", () => {
  const folder = suiteFolder();
  let provider: TestProvider;
  let service: TestService;
  before(async () => {
    const port = await freePort();
    const baseUrl = `http://localhost:${port}`;
    provider = await startProvider(`${baseUrl}/studio/sign-in/openid/return`);
    const signIn = signInBy(provider);
    service = new TestService(folder, {
      config: { port, host: "localhost", baseUrl, signIn },
    });
    await service.start();
  });
  after(async () => {
    await service.stop();
    await provider.stop();
  });

  const passSignIn = (jar: CookieJar, account: string) =>
    passProvider(jar, service.url, account);

  it("accepts a user's verified address", async () => {
    const { email } = await newPerson(service, "editor");
    const account = { email: email.toUpperCase(), email_verified: true };
    provider.accounts.set("ada", account);
    const jar = new CookieJar();
    const location = await end(jar, await passSignIn(jar, "ada"));
    expect(location).to.equal("/studio/");
    const me = await jar.fetch(`${service.url}/studio/api/me`);
    expect(await me.json()).to.include({ role: "editor" });
  });

  it("rejects an unknown address and an unverified one", async () => {
    const { email } = await newPerson(service);
    const verified = { email: "eve@example.com", email_verified: true };
    provider.accounts.set("eve", verified);
    provider.accounts.set("eva", { email, email_verified: false });
    for (const [who, problem] of [
      ["eve", "forbidden"],
      ["eva", "conflict"],
    ] as const) {
      const jar = new CookieJar();
      const location = await end(jar, await passSignIn(jar, who));
      expect(location).to.equal(
        `/studio/sign-in?way=openid&problem=${problem}`,
      );
    }
  });

  it("rejects a response that was started in another browser, changed or repeated", async () => {
    const { email } = await newPerson(service);
    provider.accounts.set("bob", { email, email_verified: true });
    const jar = new CookieJar();
    const back = await passSignIn(jar, "bob");
    expect(await end(new CookieJar(), back)).to.include("invalid_request");
    const changed = new URL(back);
    changed.searchParams.set("state", "another");
    expect(await end(jar, changed)).to.include("problem=unauthorized");
    expect(await end(jar, back)).to.include("problem=invalid_request");
  });

  it("reports that the user declined at the provider", async () => {
    const jar = new CookieJar();
    await jar.follow(`${service.url}/studio/sign-in/openid`, isReturn);
    const back = new URL(`${service.url}/studio/sign-in/openid/return`);
    back.searchParams.set("error", "access_denied");
    expect(await end(jar, back)).to.include("problem=unauthorized");
  });
});
