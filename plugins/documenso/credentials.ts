export interface DocumensoCredentials {
  /** The server's address; Documenso's own cloud when left out. */
  url?: string;
  apiKey: string;
  /** Comes with its notices; without it they are not heard. */
  webhookSecret?: string;
  /** Whether Documenso writes to the signers; true when left out. */
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
        "https://app.documenso.com (when left out), or the address of a server of your own, without a path.",
    },
    apiKey: {
      type: "string",
      minLength: 1,
      title: "API token",
      description:
        "Begins with api_. In Documenso: Settings of the team, API tokens.",
      writeOnly: true,
    },
    webhookSecret: {
      type: "string",
      minLength: 16,
      title: "Webhook secret",
      description:
        "The one that you give to the webhook in Documenso. Without it, states are asked for now and then.",
      writeOnly: true,
    },
    sendEmail: {
      type: "boolean",
      title: "Send emails",
      description:
        "Whether Documenso writes to the signers. Switched off, you hand out their links yourself.",
    },
  },
};

const cloud = "https://app.documenso.com";

/** The server, without a slash at its end. */
export function serverOf({ url = cloud }: DocumensoCredentials): string {
  return url.replace(/\/+$/, "");
}

/** Where a signer signs. */
export function signingUrl(
  credentials: DocumensoCredentials,
  token: string,
): string {
  return `${serverOf(credentials)}/sign/${token}`;
}
