import { once } from "node:events";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { SMTPServer } from "smtp-server";
import { portOf } from "../support/free-port.js";
import { TestService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { cookieOf, newPerson, pressLink } from "../support/visitor.js";

describe("a sign-in link by e-mail", () => {
  const mails: { to: string[]; text: string }[] = [];
  const folder = suiteFolder();
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const mail = Buffer.concat(chunks).toString();
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: mail.replaceAll(/=\r\n/g, "").replaceAll("=3D", "="),
        });
        done();
        server.emit("mail");
      });
    },
  });
  let service: TestService;
  before(async () => {
    const socket = server.listen(0, "127.0.0.1");
    await once(socket, "listening");
    const smtpUrl = `smtp://127.0.0.1:${portOf(socket)}`;
    const mail = { smtpUrl, from: "Platen <platen@example.com>" };
    const signIn = {
      linkMs: 900_000,
      sessionIdleMs: 900_000,
      sessionMaxMs: 900_000,
      mail,
      openId: null,
    };
    service = new TestService(folder, { config: { signIn } });
    await service.start();
  });
  after(async () => {
    await service.stop();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const ask = (email: string) =>
    fetch(`${service.url}/studio/api/sign-in/mail`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email }),
    });

  it("comes to whoever is known, and signs in", async () => {
    const { email } = await newPerson(service);
    const mail = once(server, "mail");
    expect((await ask(` ${email.toUpperCase()} `)).status).to.equal(202);
    await mail;
    expect(mails[0]?.to).to.deep.equal([email]);
    const [link = ""] = /http\S+/.exec(mails[0]?.text ?? "") ?? [];
    expect(cookieOf(await pressLink(link))).to.include("platen_session=");
  });

  it("comes to nobody else, which the answer does not tell", async () => {
    const stranger = await ask("nobody@example.com");
    expect(stranger.status).to.equal(202);
    expect(await stranger.text()).to.equal("");
    const { email } = await newPerson(service);
    const mail = once(server, "mail");
    await ask(email);
    await mail;
    const last = mails.at(-1);
    expect(last?.to).to.deep.equal([email]);
    expect(mails.flatMap(({ to }) => to)).to.not.include("nobody@example.com");
  });
});
