import { expect } from "chai";
import { after, describe, it } from "mocha";
import { freePort } from "../../support/free-port.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { linkFor, newPerson, pressLink } from "../../support/studio.js";

describe("the session cookie", () => {
  const folder = suiteFolder();
  let service: TestService;
  let here = "";

  /** The cookie of a sign-in at a service that is reached under this address. */
  async function cookieAt(baseUrl: string | null): Promise<string> {
    const port = await freePort();
    here = `http://127.0.0.1:${port}`;
    service = new TestService(folder, { config: { port, baseUrl } });
    await service.start();
    const link = await linkFor(service, await newPerson(service));
    const { pathname } = new URL(link);
    const [cookie] = (await pressLink(here + pathname)).headers.getSetCookie();
    return cookie ?? "";
  }
  after(() => service.stop());

  it("is not accessible to scripts and not sent by other sites", async () => {
    const cookie = await cookieAt(null);
    expect(cookie).to.match(/^platen_session=[\w-]{43};/);
    expect(cookie).to.match(/; path=\/;/);
    expect(cookie)
      .to.match(/; httponly/i)
      .and.match(/; samesite=lax/i);
    expect(cookie)
      .to.match(/; expires=/i)
      .and.not.match(/; secure|; domain/i);
    await service.stop();
  });

  it("is sent over https only, under a name that only this host can set", async () => {
    const cookie = await cookieAt("https://documents.example.com");
    expect(cookie).to.match(/^__Host-platen_session=/);
    expect(cookie)
      .to.match(/; path=\/;/)
      .and.match(/; secure/i);
  });
});
