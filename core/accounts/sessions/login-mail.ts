import { PlatenError } from "../../plugin-api/index.js";
import type { IssuedLink } from "./login-links.js";

export interface MailSettings {
  /** `smtp://user:password@host:port`, or `smtps://`. */
  smtpUrl: string;
  from: string;
}

const timeMs = 20_000;

/** Sends sign-in links by e-mail. */
export class LoginMail {
  constructor(private readonly settings: MailSettings) {}

  /** @throws PlatenError `unavailable` when the mail server does not take it. */
  async send(
    person: { name: string; email: string },
    link: IssuedLink,
  ): Promise<void> {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      url: this.settings.smtpUrl,
      connectionTimeout: timeMs,
      greetingTimeout: timeMs,
      socketTimeout: timeMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      await transport.sendMail({
        from: this.settings.from,
        to: { name: person.name, address: person.email },
        subject: "Your sign-in link for Platen",
        text: textOf(person.name, link),
      });
    } catch (cause) {
      throw new PlatenError(
        "unavailable",
        "The mail server did not take the sign-in mail. Look at PLATEN_SMTP_URL and PLATEN_MAIL_FROM.",
        { cause },
      );
    } finally {
      transport.close();
    }
  }
}

function textOf(name: string, { url, expiresAt }: IssuedLink): string {
  const until = expiresAt.toISOString().slice(0, 16).replace("T", " ");
  return [
    `Hello ${name},`,
    "",
    "open this address and press the button there to sign in to Platen:",
    "",
    url,
    "",
    `It works once, until ${until} UTC. If you did not ask for it, do nothing: nobody gets in without it.`,
    "",
  ].join("\n");
}
