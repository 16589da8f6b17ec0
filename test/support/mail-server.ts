import { once } from "node:events";
import type { Socket } from "node:net";
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
  /** Its replies to the content of mails to these addresses, one for each mail; `drop` ends the connection instead, `hold` says nothing. */
  replies: Map<string, (number | "drop" | "hold")[]>;
  /** How many connections were made. */
  connections: number;
  /** The next one that comes. */
  next(): Promise<Mail>;
}

/** A real mail server on loopback, from the suite's `before` to its `after`. */
export function useMailServer({
  users,
  size,
  hideSMTPUTF8,
}: {
  /** The passwords by user; anybody may send when left out. */
  users?: Record<string, string>;
  /** The most bytes of a mail. */
  size?: number;
  /** Whether it takes ASCII addresses only. */
  hideSMTPUTF8?: boolean;
} = {}): MailServer {
  const mails: Mail[] = [];
  const refused = new Set<string>();
  const replies: MailServer["replies"] = new Map();
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    disabledCommands: [...(users ? [] : ["AUTH"]), "STARTTLS"],
    allowInsecureAuth: true,
    authMethods: ["PLAIN"],
    ...(size !== undefined && { size }),
    ...(hideSMTPUTF8 && { hideSMTPUTF8 }),
    onConnect(_session, done) {
      mailServer.connections += 1;
      done();
    },
    onAuth({ username = "", password }, _session, done) {
      if (users?.[username] === password) done(null, { user: username });
      else done(new Error("Authentication failed"));
    },
    onRcptTo({ address }, _session, done) {
      if (!refused.has(address)) return done();
      const error = new Error("No such mailbox here");
      return done(Object.assign(error, { responseCode: 550 }));
    },
    onData(stream, { envelope, remotePort }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const source = Buffer.concat(chunks).toString();
        const [reply] = to.flatMap((address) => {
          const next = replies.get(address)?.shift();
          return next === undefined ? [] : [next];
        });
        if (reply === "drop" || reply === "hold") {
          mails.push({ to, source, text: plain(source) });
          if (reply === "drop") sockets.get(remotePort)?.destroy();
          return;
        }
        if (reply !== undefined) {
          const said = new Error(`Reply ${reply} of the test`);
          return done(Object.assign(said, { responseCode: reply }));
        }
        mails.push({ to, source, text: plain(source) });
        done();
        server.emit("mail", mails.at(-1));
      });
    },
  });
  // Connections that a killed process leaves behind.
  server.on("error", () => undefined);
  const next = () => waitForMail(server);
  const mailServer = { url: "", mails, refused, replies, connections: 0, next };
  before(async () => {
    const socket = server.listen(0, "127.0.0.1");
    await once(socket, "listening");
    socket.on("connection", (one: Socket) =>
      sockets.set(one.remotePort ?? 0, one),
    );
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
