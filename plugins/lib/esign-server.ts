import {
  PlatformError,
  getPlatformErrorCode,
  type SettingsSchema,
  type SignedFile,
} from "../../core/plugin-api/index.js";

// What the plugins for e-signature servers share.

export interface EsignCredentials {
  /** The server's address; the provider's own cloud when left out. */
  url?: string;
  apiKey: string;
  /** Proves the origin of webhooks; without it they are ignored. */
  webhookSecret?: string;
  /** Whether the provider sends emails to the signers; true when left out. */
  sendEmail?: boolean;
}

/** What the settings say of one provider, such as where to find each in its own pages. */
interface ProviderTexts {
  url: string;
  apiKeyTitle: string;
  apiKey: string;
  webhookSecret: string;
}

/** What they say of every provider. */
const commonTexts = {
  en: {
    url: "Address",
    webhookSecret: "Webhook secret",
    withoutSecret: "Without it, Platen polls {provider} for changes.",
    sendEmailTitle: "Send emails",
    sendEmail:
      "Whether {provider} emails the signers. When off, you send them their links yourself.",
  },
  de: {
    url: "Adresse",
    webhookSecret: "Webhook-Geheimnis",
    withoutSecret:
      "Ohne Geheimnis fragt Platen Änderungen regelmäßig bei {provider} ab.",
    sendEmailTitle: "E-Mails senden",
    sendEmail:
      "Ob {provider} den Unterzeichnern E-Mails sendet. Andernfalls senden Sie ihnen ihre Links selbst.",
  },
  es: {
    url: "Dirección",
    webhookSecret: "Secreto del webhook",
    withoutSecret:
      "Sin él, Platen consulta periódicamente los cambios a {provider}.",
    sendEmailTitle: "Enviar correos",
    sendEmail:
      "Si {provider} envía correos a los firmantes. Si no, les envía usted mismo sus enlaces.",
  },
  fr: {
    url: "Adresse",
    webhookSecret: "Secret du webhook",
    withoutSecret:
      "Sans lui, Platen interroge régulièrement {provider} pour connaître les changements.",
    sendEmailTitle: "Envoyer des e-mails",
    sendEmail:
      "Indique si {provider} envoie des e-mails aux signataires. Sinon, vous leur envoyez vous-même leurs liens.",
  },
};

export function createCredentialsSchema(
  provider: string,
  texts: Readonly<Record<keyof typeof commonTexts, ProviderTexts>>,
): SettingsSchema {
  const fill = (text: string) => text.replace("{provider}", provider);
  const describe = (language: keyof typeof commonTexts) => {
    const providerTexts = texts[language];
    const common = commonTexts[language];
    return {
      url: { title: common.url, description: providerTexts.url },
      apiKey: {
        title: providerTexts.apiKeyTitle,
        description: providerTexts.apiKey,
      },
      webhookSecret: {
        title: common.webhookSecret,
        description: `${providerTexts.webhookSecret} ${fill(common.withoutSecret)}`,
      },
      sendEmail: {
        title: common.sendEmailTitle,
        description: fill(common.sendEmail),
      },
    };
  };
  const { url, apiKey, webhookSecret, sendEmail } = describe("en");
  return {
    translations: {
      de: { properties: describe("de") },
      es: { properties: describe("es") },
      fr: { properties: describe("fr") },
    },
    type: "object",
    required: ["apiKey"],
    additionalProperties: false,
    properties: {
      url: { type: "string", format: "uri", ...url },
      apiKey: { type: "string", minLength: 1, writeOnly: true, ...apiKey },
      webhookSecret: {
        type: "string",
        minLength: 16,
        writeOnly: true,
        ...webhookSecret,
      },
      sendEmail: { type: "boolean", ...sendEmail },
    },
  };
}

/** The warning for a connection without a webhook secret; empty for one that has it. */
export function warnAboutWebhooks(
  provider: string,
  { webhookSecret }: EsignCredentials,
): string[] {
  return webhookSecret === undefined
    ? [
        `No webhook secret is set, so webhooks from ${provider} are ignored and Platen polls for changes instead.`,
      ]
    : [];
}

/** A refusal by its status. A request that timed out there (408) may have had its effect. */
export function createRefusal(
  status: number,
  message: string | undefined,
  hints: { 401: string; 403: string },
): PlatformError {
  const details = message === undefined ? "" : ` It says: ${message}`;
  const explanation =
    status === 401 || status === 403
      ? hints[status]
      : status === 404
        ? "The request does not exist there, or no longer exists."
        : `The server answered with status ${status}.`;
  return new PlatformError(
    status === 408 ? "unavailable" : getPlatformErrorCode(status),
    `${explanation}${details}`,
    { status },
  );
}

export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
}

export function createSignedFile(
  label: SignedFile["label"],
  bytes: Uint8Array,
): SignedFile {
  return { label, mimeType: "application/pdf", bytes };
}
