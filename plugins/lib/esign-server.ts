import {
  PlatformError,
  getPlatformErrorCode,
  type SettingsSchema,
  type SettingsTranslations,
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

/** The settings of a connection. The texts say where to find each in the provider's own pages. */
export function createCredentialsSchema(
  provider: string,
  texts: {
    url: string;
    apiKeyTitle: string;
    apiKey: string;
    webhookSecret: string;
  },
  translations: SettingsTranslations,
): SettingsSchema {
  return {
    translations,
    type: "object",
    required: ["apiKey"],
    additionalProperties: false,
    properties: {
      url: {
        type: "string",
        format: "uri",
        title: "Address",
        description: texts.url,
      },
      apiKey: {
        type: "string",
        minLength: 1,
        title: texts.apiKeyTitle,
        description: texts.apiKey,
        writeOnly: true,
      },
      webhookSecret: {
        type: "string",
        minLength: 16,
        title: "Webhook secret",
        description: `${texts.webhookSecret} Without it, Platen polls ${provider} for changes.`,
        writeOnly: true,
      },
      sendEmail: {
        type: "boolean",
        title: "Send emails",
        description: `Whether ${provider} emails the signers. When off, you send them their links yourself.`,
      },
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
