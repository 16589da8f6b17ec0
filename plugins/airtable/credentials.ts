import type { SettingsSchema } from "../../core/plugin-api/index.js";

/** How a connection reaches Airtable. */
export interface AirtableCredentials {
  token: string;
  endpointUrl?: string;
  contentUrl?: string;
}

const address = { type: "string", format: "uri", pattern: "^https?://" };

export const credentialsSchema: SettingsSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  additionalProperties: false,
  required: ["token"],
  properties: {
    token: {
      type: "string",
      minLength: 1,
      writeOnly: true,
      title: "Personal access token",
      description:
        "Made at airtable.com/create/tokens, with the scopes data.records:read, data.records:write and " +
        "schema.bases:read, and with access to the bases that hold your records.",
    },
    endpointUrl: {
      ...address,
      title: "Address of the API",
      description: "Default: https://api.airtable.com",
    },
    contentUrl: {
      ...address,
      title: "Address that takes files",
      description: "Default: https://content.airtable.com",
    },
  },
};

export function endpointOf({ endpointUrl }: AirtableCredentials): string {
  return withoutSlash(endpointUrl ?? "https://api.airtable.com");
}

export function contentOf({ contentUrl }: AirtableCredentials): string {
  return withoutSlash(contentUrl ?? "https://content.airtable.com");
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
