export interface NocodbCredentials {
  /** The server's address, without a path. */
  url: string;
  token: string;
}

export const credentialsSchema = {
  type: "object",
  required: ["url", "token"],
  additionalProperties: false,
  properties: {
    url: {
      type: "string",
      format: "uri",
      title: "Address",
      description: "Where your NocoDB is, such as https://app.nocodb.com.",
    },
    token: {
      type: "string",
      minLength: 1,
      title: "API token",
      description:
        "In NocoDB: your picture, Account settings, Tokens, Add new API token.",
      writeOnly: true,
    },
  },
};
