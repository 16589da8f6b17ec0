import { PlatenError } from "../plugin-api/index.js";
import { createToken, provide } from "./injection.js";
import { CONFIG } from "./process-values.js";

/** Null: no mail server is configured. */
export const MAILER = createToken<Mailer | null>("Mailer");
provide(MAILER, (c) => {
  const { mail } = c.resolve(CONFIG);
  return mail && new Mailer(mail);
});

export interface MailSettings {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  smtpUrl: string;
  from: string;
}

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html?: string;
  /** Images that the html shows as `cid:<id>`. */
  images?: readonly MailImage[];
}

export interface MailImage {
  id: string;
  bytes: Uint8Array;
  mimeType: string;
  fileName: string;
}

const timeoutMs = 20_000;
const maxReplyCharacters = 200;

/** Sends emails through the mail server of the configuration. */
export class Mailer {
  constructor(private readonly settings: MailSettings) {}

  /**
   * Resolves when the mail server has accepted the email.
   * @throws PlatenError `unavailable` with the server's reply, if it sent one
   */
  async send({ to, subject, text, html, images = [] }: Mail): Promise<void> {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      url: this.settings.smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({
        from: this.settings.from,
        to,
        subject,
        text,
        ...(html !== undefined && { html }),
        attachments: images.map(({ id, bytes, mimeType, fileName }) => ({
          cid: id,
          content: Buffer.from(bytes),
          contentType: mimeType,
          filename: fileName,
          contentDisposition: "inline" as const,
        })),
      });
    } catch (cause) {
      throw new PlatenError(
        "unavailable",
        `The mail server did not take the email${describeReply(cause)}. Check PLATEN_SMTP_URL and PLATEN_MAIL_FROM.`,
        { cause },
      );
    } finally {
      transport.close();
    }
  }
}

/** What the server said, such as `: 550 No such mailbox`; empty when it said nothing. */
function describeReply(cause: unknown): string {
  const reply: unknown = Object(cause).response;
  if (typeof reply !== "string") return "";
  const line = reply.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "");
  return line === "" ? "" : `: ${line.slice(0, maxReplyCharacters)}`;
}
