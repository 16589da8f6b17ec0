import { once } from "node:events";
import { after, before } from "mocha";
import { SMTPServer } from "smtp-server";
import { getPort } from "./free-port.js";

interface Mail {
  to: string[];
  /** Everything, without the breaks and marks of quoted-printable. */
  text: string;
  /** As it was received. */
  source: string;
}

interface MailServer {
  url: string;
  /** All that came, in their order. */
  mails: Mail[];
  /** Addresses that it refuses. */
  refused: Set<string>;
  /** The next one that comes. */
  next(): Promise<Mail>;
}

/** A real mail server on loopback, from the suite's `before` to its `after`. */
export function useMailServer(): MailServer {
  const mails: Mail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, _session, done) {
      if (!refused.has(address)) return done();
      const error = new Error("No such mailbox here");
      return done(Object.assign(error, { responseCode: 550 }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const source = Buffer.concat(chunks).toString();
        mails.push({ to, source, text: plain(source) });
        done();
        server.emit("mail", mails.at(-1));
      });
    },
  });
  const next = () => waitForMail(server);
  const mailServer = { url: "", mails, refused, next };
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

function plain(mail: string): string {
  return mail.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
}
