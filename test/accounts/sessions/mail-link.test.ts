import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useMailServer } from "../../support/mail-server.js";
import { recordingLog } from "../../support/recording-log.js";
import { TestService } from "../../support/service.js";
import { cliOn, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";
import {
  getCookie,
  newPerson,
  newVisitor,
  pressLink,
} from "../../support/studio.js";

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

  it("is sent at most five times while the links still work, even for concurrent requests", async () => {
    const { email } = await newPerson(service);
    const sent = server.mails.length;
    await Promise.all(Array.from({ length: 8 }, () => ask(email)));
    await eventually(
      () => server.mails.length - sent + countRejections(log.text()) === 8,
    );
    expect(countRejections(log.text())).to.equal(3);
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
