export interface DocusealCredentials {
  /** The API's address; DocuSeal's own cloud when left out. */
  url?: string;
  apiKey: string;
  /** Signs its notices; without it they are not heard. */
  webhookSecret?: string;
  /** Whether DocuSeal writes to the signers; true when left out. */
  sendEmail?: boolean;
}

export const credentialsSchema = {
  type: "object",
  required: ["apiKey"],
  additionalProperties: false,
  properties: {
    url: {
      type: "string",
      format: "uri",
      title: "Address",
      description:
        "https://api.docuseal.com (when left out), https://api.docuseal.eu, or the address of a server of your own, such as https://sign.example.com.",
    },
    apiKey: {
      type: "string",
      minLength: 1,
      title: "API key",
      description:
        "In DocuSeal: Console, API; on a server of your own: Settings, API.",
      writeOnly: true,
    },
    webhookSecret: {
      type: "string",
      minLength: 16,
      title: "Webhook secret",
      description:
        "Begins with whsec_. In DocuSeal: Webhooks, the webhook's secret. Without it, states are asked for now and then.",
      writeOnly: true,
    },
    sendEmail: {
      type: "boolean",
      title: "Send emails",
      description:
        "Whether DocuSeal writes to the signers. Switched off, you hand out their links yourself.",
    },
  },
};

const cloud = "https://api.docuseal.com";

/** Where the API is, without a slash at its end: a server of one's own has it below `/api`. */
export function apiOf({ url = cloud }: DocusealCredentials): string {
  const address = url.replace(/\/+$/, "");
  const { hostname, pathname } = new URL(address);
  const isWhole = hostname.startsWith("api.") || pathname !== "/";
  return isWhole ? address : `${address}/api`;
}

export function isCloud(credentials: DocusealCredentials): boolean {
  const { hostname } = new URL(apiOf(credentials));
  return /^api\.docuseal\.(com|eu)$/.test(hostname);
}

/** Where a signer signs. */
export function signingUrl(
  credentials: DocusealCredentials,
  slug: string,
): string {
  const { protocol, host } = new URL(apiOf(credentials));
  return `${protocol}//${host.replace(/^api\./, "")}/s/${slug}`;
}
