import { once } from "node:events";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { SMTPServer } from "smtp-server";
import { eventually } from "../../support/eventually.js";
import { getPort } from "../../support/free-port.js";
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
      mail: { smtpUrl: server.url, from },
      openId: null,
    };
    service = new TestService(folder, { config: { signIn }, log: log.log });
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

interface Mail {
  to: string[];
  text: string;
}

interface MailServer {
  url: string;
  /** All that came, in their order. */
  mails: Mail[];
  /** The next one that comes. */
  next(): Promise<Mail>;
}

/** A real mail server on loopback, from the suite's `before` to its `after`. */
function useMailServer(): MailServer {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, text: plain(Buffer.concat(chunks).toString()) });
        done();
        server.emit("mail", mails.at(-1));
      });
    },
  });
  const mailServer = { url: "", mails, next: () => waitForMail(server) };
  before(async () => {
    const socket = server.listen(0, "127.0.0.1");
    await once(socket, "listening");
    mailServer.url = `smtp://127.0.0.1:${getPort(socket)}`;
  });
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return mailServer;
}

async function waitForMail(server: SMTPServer): Promise<Mail> {
  const [mail]: Mail[] = await once(server, "mail");
  if (!mail) throw new Error("no mail came");
  return mail;
}

/** Without the breaks and marks of quoted-printable. */
function plain(mail: string): string {
  return mail.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
}
