import type { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import MailComposer from "nodemailer/lib/mail-composer";
import SmtpConnection from "nodemailer/lib/smtp-connection";
import {
  type DeliveryPlugin,
  type DeliveryReceipt,
  type DeliveryRequest,
  type PlatformContext,
  PlatformError,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { IdleSessions, resolveAddress, runStep } from "../lib/sessions.js";
import { targetTranslations, translations } from "./translations.js";

/** Where mail is handed in, and as whom. */
export interface EmailCredentials {
  host: string;
  /** Default: 465 with `tls`, otherwise 587. */
  port?: number;
  /**
   * `starttls` by default; `none` sends passwords and mails in clear text. `opportunistic`, only for the mail server of the
   * service, encrypts where the server offers it.
   */
  security?: "starttls" | "tls" | "none" | "opportunistic";
  user?: string;
  password?: string;
  /** `Name <address>`, or an address. */
  from: string;
}

/** Email through a mail server (SMTP). Bounces, which arrive later at the sender's address, are not read. */
export const emailPlugin: DeliveryPlugin<EmailCredentials> = {
  meta: createMeta("delivery", "email", "Email (SMTP)"),
  credentials: {
    schema: {
      type: "object",
      required: ["host", "from"],
      additionalProperties: false,
      translations,
      properties: {
        host: {
          type: "string",
          title: "Mail server",
          minLength: 1,
          maxLength: 253,
          description: "Such as smtp.example.com.",
        },
        port: {
          type: "integer",
          title: "Port",
          minimum: 1,
          maximum: 65535,
          description: "Default: 587, or 465 with TLS.",
        },
        security: {
          type: "string",
          title: "Encryption",
          enum: ["starttls", "tls", "none"],
          default: "starttls",
          description:
            "starttls begins in clear text and insists on encryption; none sends passwords and mails in clear text.",
        },
        user: { type: "string", title: "User", minLength: 1 },
        password: { type: "string", title: "Password", writeOnly: true },
        from: {
          type: "string",
          title: "From",
          minLength: 3,
          maxLength: 320,
          description:
            'The sender, such as "Our shop <billing@example.com>". Bounces go to this address; Platen does not read them.',
        },
      },
    },
  },
  target: {
    schema: {
      type: "object",
      required: ["to"],
      additionalProperties: false,
      translations: targetTranslations,
      properties: {
        to: {
          type: "string",
          title: "To",
          minLength: 1,
          maxLength: 2000,
          description:
            "Addresses separated by commas, semicolons or lines, such as {{root.customer.email}}.",
        },
        cc: { type: "string", title: "Cc", maxLength: 2000 },
        bcc: { type: "string", title: "Bcc", maxLength: 2000 },
        replyTo: { type: "string", title: "Reply to", maxLength: 2000 },
        testTo: {
          type: "string",
          title: "Send to instead",
          maxLength: 320,
          description:
            "A test: everything goes to this address, and nothing to the others. me is the address of the user who starts the batch.",
        },
      },
    },
  },
  // Most mail servers accept 25 MB, of which base64 takes a quarter.
  capabilities: {
    maxBytes: 50 * 1024 * 1024,
    repeatable: false,
    message: true,
  },
  rate: {
    key: ({ host, user = "" }) => `${host} ${user}`,
    maxInFlight: 5,
    cooldownMs: 30_000,
  },
  async check(context) {
    return context.turn({}, async () => {
      const session = await SmtpSession.open(context);
      session.quit();
      return { account: parseFrom(context.credentials).address };
    });
  },
  deliver: (context, request) => {
    const mail = composeMail(context.credentials, request);
    return context.turn({}, () => sendMail(context, mail));
  },
};

interface Mail {
  envelope: { from: string; to: string[]; size: number };
  messageId: string;
  /** What of the mail's addresses was left out. */
  warnings: string[];
  /** Opens the message, with its attachments as they are read from the file store. */
  open(): Promise<Readable>;
}

const maxRecipients = 100;

/** @throws PlatformError `invalid_field` for addresses that nobody has. */
function composeMail(
  credentials: EmailCredentials,
  { id, target, files, message }: DeliveryRequest,
): Mail {
  const from = parseFrom(credentials);
  const testTo = readAddresses(target.testTo, "testTo");
  const warnings: string[] = [];
  const read = (value: unknown, field: string) =>
    readAddresses(value, field).map((mailbox) => {
      if (!hasMisleadingName(mailbox)) return mailbox;
      warnings.push(
        `The name ${JSON.stringify(toLine(mailbox.name))} before ${mailbox.address} in \`${field}\` was left out, because it has an address in it.`,
      );
      return { ...mailbox, name: "" };
    });
  const to = read(target.to, "to");
  const cc = read(target.cc, "cc");
  const bcc = read(target.bcc, "bcc");
  const replyTo = read(target.replyTo, "replyTo");
  if (to.length === 0)
    throw new PlatformError(
      "invalid_field",
      "this record has no address to send to: `to` is empty. Fill in the field that it names, and retry the delivery.",
      { fieldId: "to" },
    );
  const isTest = testTo.length > 0;
  const recipients = isTest ? testTo : [...to, ...cc, ...bcc];
  if (recipients.length > maxRecipients)
    throw new PlatformError(
      "invalid_field",
      `an email can have at most ${maxRecipients} recipients, and this one has ${recipients.length}.`,
    );
  const messageId = `<${id}@${from.address.slice(from.address.lastIndexOf("@") + 1)}>`;
  const { subject = "", text = "", html, images = [] } = message ?? {};
  const bytes =
    files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
    images.reduce((sum, image) => sum + image.bytes.length, 0);
  return {
    messageId,
    warnings,
    envelope: {
      from: from.address,
      to: [...new Set(recipients.map(({ address }) => address))],
      // Base64 makes four characters of three bytes, in lines of 76.
      size: Math.ceil(bytes * 1.37) + text.length + (html?.length ?? 0) + 4096,
    },
    async open() {
      const composer = new MailComposer({
        messageId,
        from,
        to: isTest ? testTo : to,
        ...(!isTest && { cc, bcc }),
        replyTo,
        subject: isTest ? `[Test] ${subject}` : subject,
        text,
        ...(html !== undefined && { html }),
        attachments: [
          ...images.map((image) => ({
            cid: image.id,
            filename: image.filename,
            contentType: image.contentType,
            content: Buffer.from(image.bytes),
            contentDisposition: "inline" as const,
          })),
          ...(await Promise.all(
            files.map(async (file) => ({
              filename: file.filename,
              contentType: file.contentType,
              content: await file.open(),
            })),
          )),
        ],
        headers: { "Auto-Submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      return composer.compile().createReadStream();
    },
  };
}

interface Address {
  name: string;
  address: string;
}

function parseFrom({ from }: EmailCredentials): Address {
  const [address, ...others] = readAddresses(from, "from", "bad_config");
  if (address && others.length === 0 && !hasMisleadingName(address))
    return address;
  throw new PlatformError(
    "bad_config",
    'the sender must be one address, such as "Our shop <billing@example.com>". Correct the connection.',
  );
}

/**
 * A name, of which parts may be in quotation marks, before an address in angle brackets; or an address, perhaps before a
 * comment.
 */
const mailboxForm =
  /^(?:((?:"(?:[^"\\]|\\.)*"|[^"<>])*?)\s*<([^<>]*)>|([^\s"<>]+)(?:\s*\(([^()]*)\))?)$/u;
const quotedText = /"((?:[^"\\]|\\.)*)"/gu;
/**
 * `Doe, Jane <jane@x.example>`, as address books write a name: its comma separates no addresses. Neither do those before
 * degrees: `Jane Doe, M.Sc., MBA <…>`.
 */
const familyNameFirst =
  /^[^@",<>]+,\s*[^@",<>\s][^@",<>]*(?:,\s*(?=[\p{L}-]*(?:\.|\p{Lu}{2}|\p{Lu}\p{Ll}\p{Lu}))[\p{L}.-]{1,20}\s*)*<[^<>]*>$/u;
/**
 * Texts in quotation marks, perhaps open ones; names in typographic ones; texts in angle brackets; the ends of an address;
 * and the rest.
 */
const addressParts =
  /"(?:[^"\\]|\\.?)*(?:"|$)|[“„«][^“”„«»@<>]*[“”»](?=\s*<)|<[^<>]*>|[,;\r\n\v\f\u0085\u2028\u2029]|[^",;<“„«\r\n\v\f\u0085\u2028\u2029]+|./gsu;
/** As Outlook writes an address into a text. */
const bracketedLink = /\[(mailto:[^[\]<>\s]*)\]/gi;
/** Spaces, and invisible characters that are copied along with an address. */
const edges =
  /^[\s\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+|[\s\u00ad\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/gu;
const quotedAddress = /^(?:'(.*)'|"(.*)"|‘(.*)’|“(.*)”|„(.*)“)$/u;
/** Of ASCII, what RFC 5322 allows; of others, no punctuation and no wide forms, such as `；` and `＠`. */
const atom =
  "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\p{ASCII}\\uff01-\\uff5e\\s\\p{C}\\p{P}])+";
const localForm = new RegExp(`^${atom}(?:\\.${atom})*$`, "u");
/** No IP address: the last part is not a number. */
const hostForm =
  /^(?!-)[a-z\d_-]{1,63}(?<!-)(?:\.(?!-)[a-z\d_-]{1,63}(?<!-))*(?<!\.\d+)$/i;
const maxAddressLength = 254;

/**
 * Addresses separated by commas, semicolons or lines, each once; domains in small letters, with others than a to z as
 * punycode.
 * @throws PlatformError naming what is no address
 */
function readAddresses(
  value: unknown,
  field: string,
  code: "invalid_field" | "bad_config" = "invalid_field",
): Address[] {
  const text = typeof value === "string" ? value : "";
  const mailboxes = new Map<string, Address>();
  for (const part of splitAddresses(text.replace(bracketedLink, "<$1>"))) {
    const mailbox = readMailbox(part);
    if (mailbox) {
      if (!mailboxes.has(mailbox.address))
        mailboxes.set(mailbox.address, mailbox);
      continue;
    }
    throw new PlatformError(
      code,
      `\`${field}\` is not an email address: ${quote(part.slice(0, 100))}. ${code === "bad_config" ? "Correct the connection." : "Correct it, with commas, semicolons or lines between addresses and quotation marks around a name with commas, and retry the delivery."}`,
      { fieldId: field },
    );
  }
  return [...mailboxes.values()];
}

function splitAddresses(text: string): string[] {
  return splitAt(/^[;\r\n\v\f\u0085\u2028\u2029]$/, text).flatMap((part) =>
    familyNameFirst.test(part) ? [part] : splitAt(/^,$/, part),
  );
}

function splitAt(separator: RegExp, text: string): string[] {
  const parts = [""];
  for (const [token] of text.matchAll(addressParts))
    if (separator.test(token)) parts.push("");
    else parts[parts.length - 1] += token;
  return parts
    .map((part) => part.replaceAll(/\s+/gu, " ").replace(edges, ""))
    .filter((part) => part !== "");
}

/** Null for what is no address, or has control characters. */
function readMailbox(text: string): Address | null {
  if (/\p{Cc}/u.test(text)) return null;
  const onlyAddress = toAddress(text);
  if (onlyAddress !== null) return { name: "", address: onlyAddress };
  const [, phrase = "", inBrackets, bare, comment] =
    mailboxForm.exec(text) ?? [];
  const address = toAddress(inBrackets ?? bare ?? "");
  if (address === null) return null;
  const name = phrase.replaceAll(quotedText, (_quoted, inside: string) =>
    inside.replaceAll(/\\(.)/gu, "$1"),
  );
  const mailbox = { name: (comment ?? name).trim(), address };
  // Without quotation marks, another address is perhaps another recipient.
  const hasAddress = phrase.replaceAll(quotedText, "").includes("@");
  return hasAddress && hasMisleadingName(mailbox) ? null : mailbox;
}

/** Also that of a link, `mailto:`, in which nothing is escaped, and one in quotation marks. */
function toAddress(text: string): string | null {
  const trimmed = text.replace(edges, "");
  const [, ...quoted] = quotedAddress.exec(trimmed) ?? [];
  const unquoted = quoted.find((inside) => inside !== undefined) ?? trimmed;
  const written = unquoted.trim().replace(/^mailto:(?!.*%)/i, "");
  const at = written.lastIndexOf("@");
  if (at === -1) return null;
  const [local, host] = [written.slice(0, at), written.slice(at + 1)];
  // Other characters would be decoded, or be taken for the end of the host.
  const isPlain = /^[\p{L}\p{M}\p{N}_.-]+$/u.test(host);
  const domain =
    isPlain && /[^ -~]/.test(host) ? domainToASCII(host) : host.toLowerCase();
  const address = `${local}@${domain}`;
  const isValid =
    isPlain &&
    localForm.test(local) &&
    Buffer.byteLength(local) <= 64 &&
    hostForm.test(domain) &&
    Buffer.byteLength(address) <= maxAddressLength;
  return isValid ? address : null;
}

/** Whether readers could take the name, as mail programs may decode it, for the address to which the mail goes. */
function hasMisleadingName({ name, address }: Address): boolean {
  if (!/@|=\?/.test(name.normalize("NFKC"))) return false;
  const named = toAddress(name);
  return named?.toLowerCase() !== address.toLowerCase();
}

/** Shows characters that nobody sees by their numbers. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Sends a mail through an open session, or else through a new one. */
async function sendMail(
  context: PlatformContext<EmailCredentials>,
  mail: Mail,
): Promise<DeliveryReceipt> {
  const idleSession = idleSessions.take(context.credentials);
  if (idleSession) {
    try {
      return await idleSession.send(mail, context.signal);
    } catch (error) {
      // The server has closed it meanwhile, before anything was handed over.
      if (!(error instanceof SessionEnded)) throw error;
    }
  }
  const session = await SmtpSession.open(context);
  try {
    return await session.send(mail, context.signal);
  } catch (error) {
    throw error instanceof SessionEnded ? error.reason : error;
  }
}

/** A session ended before a mail was handed over, so that it can be sent through another one. */
class SessionEnded extends Error {
  constructor(readonly reason: PlatformError) {
    super(reason.message);
  }
}

const connectTimeoutMs = 20_000;
/** RFC 5321, 4.5.3.2.6 asks for 10 minutes, which is longer than the host waits. */
const replyTimeoutMs = 100_000;
const maxMailsPerSession = 100;

const idleSessions = new IdleSessions<SmtpSession>();

/** A connection to a mail server, which sends one mail after the other. */
class SmtpSession {
  #mails = 0;
  /** Aborted when the connection fails. */
  readonly #ended = new AbortController();

  private constructor(
    private readonly connection: SmtpConnection,
    private readonly credentials: EmailCredentials,
  ) {
    const end = (error: unknown) => {
      idleSessions.remove(this);
      this.#ended.abort(error);
    };
    connection.on("error", end);
    connection.on("end", () => end(new Error("the connection was closed")));
  }

  /** @throws PlatformError `auth`, `bad_config`, or `try_later`. */
  static async open(
    context: PlatformContext<EmailCredentials>,
  ): Promise<SmtpSession> {
    const { credentials, signal } = context;
    const { host, port, security = "starttls", user, password } = credentials;
    const address = await resolveAddress(context, host);
    const connection = new SmtpConnection({
      host: address,
      // Certificates are checked against the name.
      servername: host,
      tls: { servername: host },
      port: port ?? (security === "tls" ? 465 : 587),
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: replyTimeoutMs,
    });
    const session = new SmtpSession(connection, credentials);
    try {
      await session.#run(signal, (done) => connection.connect(done));
      if (user !== undefined)
        await session.#run(signal, (done) =>
          connection.login({ user, pass: password ?? "" }, done),
        );
    } catch (error) {
      connection.close();
      throw toPlatformError(error);
    }
    return session;
  }

  /** @throws SessionEnded for a session that was used before; PlatformError. */
  async send(mail: Mail, signal: AbortSignal): Promise<DeliveryReceipt> {
    const { connection } = this;
    this.#assertReachable(mail);
    const isUsed = this.#mails > 0;
    this.#mails += 1;
    const message = await mail.open();
    // Only a mail whose end was written can be accepted.
    let isHandedOver = false;
    message.once("end", () => {
      isHandedOver = true;
    });
    try {
      const { rejectedErrors = [] } = await this.#run<SendInfo>(
        signal,
        (done) => connection.send(mail.envelope, message, done),
      );
      this.#becomeIdle();
      const warnings = [
        ...mail.warnings,
        ...rejectedErrors.map(
          ({ recipient, response }) =>
            `The mail server did not accept ${toLine(recipient)}: ${toLine(response)}. The others got the mail.`,
        ),
      ];
      return { id: mail.messageId, ...(warnings.length > 0 && { warnings }) };
    } catch (error) {
      message.destroy();
      const code = getReplyCode(error);
      if (code !== null && !this.#ended.signal.aborted) {
        // The server is there, and has refused this mail only.
        connection.reset((failure) =>
          failure ? connection.close() : this.#becomeIdle(),
        );
      } else connection.close();
      if (isHandedOver && code === null)
        throw new PlatformError(
          "unavailable",
          "the mail server got the whole mail, and did not say whether it accepts it. The mail may have arrived, so it is not sent again by itself. " +
            "Ask the recipient, or look into the mail server's log; if it did not arrive, retry the delivery.",
          { cause: error },
        );
      const reason = toPlatformError(error);
      if (isUsed && code === null && reason.code === "try_later")
        throw new SessionEnded(reason);
      throw reason;
    }
  }

  /** @throws PlatformError `invalid_field` for a local part that only servers with SMTPUTF8 take */
  #assertReachable({ envelope: { from, to } }: Mail): void {
    const foreign = [from, ...to].find((address) => /[^ -~]/.test(address));
    if (foreign === undefined) return;
    const extensions: unknown = Reflect.get(
      this.connection,
      "_supportedExtensions",
    );
    if (Array.isArray(extensions) && extensions.includes("SMTPUTF8")) return;
    this.#becomeIdle();
    throw new PlatformError(
      "invalid_field",
      `the mail server does not take the address ${JSON.stringify(foreign)}: it lacks SMTPUTF8, which an address needs whose part before the @ has other letters than a to z. Write another address, or use another mail server.`,
    );
  }

  quit(): void {
    this.#ended.abort();
    this.connection.quit();
  }

  #becomeIdle(): void {
    if (this.#ended.signal.aborted) return;
    if (this.#mails >= maxMailsPerSession) return this.quit();
    idleSessions.add(this.credentials, this);
  }

  /** Waits for the end of one step, of the connection, or of the call. */
  #run<T = unknown>(
    signal: AbortSignal,
    step: Parameters<typeof runStep<T>>[1],
  ): Promise<T> {
    return runStep([signal, this.#ended.signal], step);
  }
}

interface SendInfo {
  rejectedErrors?: { recipient?: unknown; response?: unknown }[] | undefined;
}

/** The mail server's own refusal, such as 550; null when it said nothing. */
function getReplyCode(error: unknown): number | null {
  const code: unknown = Object(error).responseCode;
  return typeof code === "number" && code >= 400 && code < 600 ? code : null;
}

function toLine(reply: unknown): string {
  const text = typeof reply === "string" ? reply : "";
  return text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 300);
}

/** A failure before the mail was handed over, or a refusal: nothing was delivered. */
function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const { code, response, message } = Object(error);
  const said = toLine(response);
  const reply = getReplyCode(error);
  const detail = { cause: error, ...(reply !== null && { status: reply }) };
  if (code === "EAUTH" && (reply === null || reply >= 500))
    return new PlatformError(
      "auth",
      `the mail server did not accept the user and the password${said && `: ${said}`}. Correct the connection.`,
      detail,
    );
  if (code === "EMESSAGE" && reply === null)
    return new PlatformError(
      "too_large",
      `the mail is larger than the mail server accepts: ${toLine(message)} bytes. Deliver a link instead of the file (files: "link"), or use smaller images.`,
      detail,
    );
  if (code === "ETLS")
    return new PlatformError(
      "bad_config",
      `the connection to the mail server cannot be encrypted: ${toLine(message)}. Check the connection's host, port and encryption.`,
      detail,
    );
  if (reply === 552 || reply === 523)
    return new PlatformError(
      "too_large",
      `the mail server refused the mail, because a mailbox is full or the mail is too large: ${said}.`,
      detail,
    );
  if (reply !== null && reply >= 500)
    return new PlatformError(
      "forbidden",
      `the mail server refused the mail: ${said}.`,
      detail,
    );
  if (reply !== null)
    return new PlatformError(
      "try_later",
      `the mail server does not accept the mail at the moment: ${said}.`,
      detail,
    );
  return new PlatformError(
    "try_later",
    `the mail server cannot be reached, or ended the connection: ${toLine(message)}. Check the connection's host and port if it never worked.`,
    detail,
  );
}
