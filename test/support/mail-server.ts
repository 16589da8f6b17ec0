import { once } from "node:events";
import { after, before } from "mocha";
import { SMTPServer } from "smtp-server";
import { portOf } from "./free-port.js";

export interface Mail {
  to: string[];
  text: string;
}

export interface MailServer {
  url: string;
  /** All that came, in their order. */
  mails: Mail[];
  /** The next one that comes. */
  next(): Promise<Mail>;
}

/** A real mail server on loopback, from the suite's `before` to its `after`. */
export function useMailServer(): MailServer {
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
  const told = { url: "", mails, next: () => nextOf(server) };
  before(async () => {
    const socket = server.listen(0, "127.0.0.1");
    await once(socket, "listening");
    told.url = `smtp://127.0.0.1:${portOf(socket)}`;
  });
  after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return told;
}

async function nextOf(server: SMTPServer): Promise<Mail> {
  const [mail]: Mail[] = await once(server, "mail");
  if (!mail) throw new Error("no mail came");
  return mail;
}

/** Without the breaks and marks of quoted-printable. */
function plain(mail: string): string {
  return mail.replaceAll(/=\r\n/g, "").replaceAll("=3D", "=");
}
