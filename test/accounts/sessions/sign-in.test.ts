import { expect } from "chai";
import { operator } from "../../../core/accounts/index.js";
import { AuditEvent } from "../../../core/storage/database/index.js";
import { LoginLinks } from "../../../core/accounts/sessions/index.js";
import { useFixedTime } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { freePort } from "../../support/free-port.js";
import { useMailServer } from "../../support/mail-server.js";
import {
  end,
  isReturn,
  passProvider,
  signInBy,
  startProvider,
  type TestProvider,
} from "../../support/openid-provider.js";
import { recordingLog } from "../../support/recording-log.js";
import { useService, TestService } from "../../support/service.js";
import { cliOn, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";
import { eachDatabase } from "../../support/store.js";
import {
  getCookie,
  linkFor,
  newPerson,
  pressLink,
  newVisitor,
  CookieJar,
} from "../../support/studio.js";

const getProblem = (response: Response) =>
  new URL(response.headers.get("location") ?? "", response.url).searchParams;

eachDatabase((_open, database) => {
  describe("a sign-in link", () => {
    const service = useService({ config: { database } });
    const newLink = async () => linkFor(service, await newPerson(service));

    it("is not consumed by opening it, and signs in when its button is clicked", async () => {
      const link = await newLink();
      for (const method of ["GET", "HEAD", "GET"]) {
        const page = await fetch(link, { method });
        expect(page.status).to.equal(200);
        expect(page.headers.getSetCookie()).to.deep.equal([]);
      }
      const response = await pressLink(link);
      expect(response.status).to.equal(303);
      expect(response.headers.get("location")).to.equal("/studio/");
      const me = await fetch(`${service.url}/studio/api/me`, {
        headers: { cookie: getCookie(response) },
      });
      expect(me.status).to.equal(200);
    });

    it("signs in once for several concurrent clicks", async () => {
      const link = await newLink();
      const clicks = await Promise.all(
        Array.from({ length: 8 }, () => pressLink(link)),
      );
      const won = clicks.filter((one) => getCookie(one) !== "");
      expect(won).to.have.length(1);
      const lost = clicks.filter((one) => getCookie(one) === "");
      for (const one of lost)
        expect(getProblem(one).get("problem")).to.equal("gone");
    });

    it("is limited per hour, even for concurrent requests", async () => {
      const person = await newPerson(service);
      const links = service.container.resolve(LoginLinks);
      const made = await Promise.all(
        Array.from({ length: 8 }, () => links.issueAtMost(5, person, operator)),
      );
      expect(made.filter((one) => one !== null)).to.have.length(5);
    });

    it("is rejected when it is expired or invalid", async () => {
      const link = await newLink();
      await service.store.unitOfWork.run((tx) =>
        tx.query("UPDATE login_link SET expires_at = created_at"),
      );
      expect(getProblem(await pressLink(link)).get("problem")).to.equal("gone");
      const wrong = await pressLink(link.slice(0, -2));
      expect(getProblem(wrong).get("problem")).to.equal("not_found");
    });

    it("is recorded in the audit log together with the sign-in, without its token", async () => {
      const person = await newPerson(service);
      const link = await linkFor(service, person);
      await pressLink(link);
      const { organizationId } = person;
      const events = await service.store.read.findBy(AuditEvent, {
        organizationId,
      });
      const actions = events.map(({ action }) => action);
      expect(actions).to.include.members([
        "login_link.created",
        "session.started",
      ]);
      const token = link.split("/").at(-1) ?? "";
      const rows = await service.store.read.query("SELECT * FROM login_link");
      expect(JSON.stringify([events, rows])).to.not.include(token);
    });
  });
});

const countRejections = (log: string) =>
  log.split("too many sign-in links").length - 1;

const linkIn = (text: string) => /http\S+/.exec(text)?.[0] ?? "";

describe("a sign-in link by email", () => {
  const server = useMailServer();
  const folder = suiteFolder();
  const log = recordingLog();
  let service: TestService;
  before(async () => {
    const from = "Platen <platen@example.com>";
    const signIn = {
      linkMs: 900_000,
      sessionIdleMs: 900_000,
      sessionMaxMs: 900_000,
      openId: null,
    };
    const mail = { smtpUrl: server.url, from };
    const config = { mail, signIn };
    service = new TestService(folder, { config, log: log.log });
    await service.start();
  });
  after(() => service.stop());
  const ask = (email: string) =>
    fetch(`${service.url}/studio/api/sign-in/mail`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });

  it("is sent to a known user and signs in", async () => {
    const { email } = await newPerson(service);
    const mail = server.next();
    expect((await ask(` ${email.toUpperCase()} `)).status).to.equal(202);
    const { to, text } = await mail;
    expect(to).to.deep.equal([email]);
    const response = await pressLink(linkIn(text));
    expect(getCookie(response)).to.include("platen_session=");
  });

  it("is sent to nobody else, which the response does not reveal", async () => {
    const stranger = await ask("nobody@example.com");
    expect(stranger.status).to.equal(202);
    expect(await stranger.text()).to.equal("");
    const { email } = await newPerson(service);
    const mail = server.next();
    await ask(email);
    expect((await mail).to).to.deep.equal([email]);
    const all = server.mails.flatMap(({ to }) => to);
    expect(all).to.not.include("nobody@example.com");
  });

  it("is sent to an invited user only, even when it leads to another organization", async () => {
    const owner = await newVisitor(service);
    const elsewhere = await newVisitor(service);
    const { email } = elsewhere;
    const order = { name: "Grace", email, role: "viewer" };
    const mail = server.next();
    const invited = await owner.send("POST", "/studio/api/people", order);
    expect(await invited.json()).to.include({ url: null, mail: "sent" });
    const { to, text } = await mail;
    expect(to).to.deep.equal([email]);
    const response = await pressLink(linkIn(text));
    expect(getCookie(response)).to.include("platen_session=");
  });

  it("is sent by the command line as well, which then does not print it", async () => {
    const { email } = await newPerson(service);
    const cli = cliOn(folder, { PLATEN_SMTP_URL: server.url });
    const mail = server.next();
    const output = await json(cli, "user", "login-link", email, "--mail");
    expect(output).to.have.all.keys("mailedTo", "expiresAt");
    expect(linkIn((await mail).text)).to.match(/\/studio\/sign-in\/[\w-]{43}$/);
  });

  it("is sent to a person again after somebody else has asked for many, once a link was used", async () => {
    const { email } = await newPerson(service);
    const rejected = countRejections(log.text());
    const sent = server.mails.length;
    await Promise.all(Array.from({ length: 6 }, () => ask(email)));
    await eventually(
      () =>
        server.mails.length - sent === 5 &&
        countRejections(log.text()) > rejected,
    );
    const link = linkIn(server.mails.at(-1)?.text ?? "");
    expect(getCookie(await pressLink(link))).to.include("platen_session=");
    const mail = server.next();
    await ask(email);
    expect((await mail).to).to.deep.equal([email]);
  });
});

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

describe("attempts to sign in", () => {
  const service = useService();
  const time = useFixedTime();

  it("are limited to 30 a minute, with the time to wait", async () => {
    const attempt = async () =>
      (await pressLink(`${service.url}/studio/sign-in/unknown`)).status;
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) statuses.push(await attempt());
    expect(statuses).to.deep.equal([...Array(30).fill(303), 429]);
    const late = await pressLink(`${service.url}/studio/sign-in/unknown`);
    const waitMs = 60_000 - (time.now() % 60_000);
    expect(late.headers.get("retry-after")).to.equal(
      String(Math.ceil(waitMs / 1000)),
    );
    time.advance(60_000);
    expect(await attempt()).to.equal(303);
  });
});
