import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { CookieJar, newPerson } from "../../support/studio.js";
import { freePort } from "../../support/free-port.js";
import {
  end,
  passProvider,
  signInBy,
  startProvider,
} from "../../support/openid-provider.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";

describe("a provider with a single method of client authentication", () => {
  const folder = suiteFolder();
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of cleanups.splice(0)) await close();
  });

  for (const way of ["client_secret_basic", "client_secret_post"] as const)
    it(`receives the secret by ${way}`, async () => {
      const port = await freePort();
      const baseUrl = `http://localhost:${port}`;
      const returnUrl = `${baseUrl}/studio/sign-in/openid/return`;
      const provider = await startProvider(returnUrl, [way]);
      cleanups.push(() => provider.stop());
      const signIn = signInBy(provider);
      const config = { port, host: "localhost", baseUrl, signIn };
      const service = new TestService(folder, { config });
      await service.start();
      cleanups.unshift(() => service.stop());
      const { email } = await newPerson(service);
      provider.accounts.set("ada", { email, email_verified: true });
      const jar = new CookieJar();
      const back = await passProvider(jar, service.url, "ada");
      expect(await end(jar, back)).to.equal("/studio/");
    });
});
