import type {
  PlatformContext,
  SettingsSchema,
} from "../../core/plugin-api/index.js";

// What the plugins share for servers that people run themselves, with a REST API and a token for it.

export interface ServerCredentials {
  /** The server's address, with the path that it has there. */
  url: string;
  token: string;
}

export function toUrl(
  { credentials: { url } }: PlatformContext<ServerCredentials>,
  path: string,
): string {
  return new URL(path, url.endsWith("/") ? url : `${url}/`).href;
}

interface ServerTexts {
  /** Such as `The address of your NocoDB, such as https://app.nocodb.com.` */
  url: string;
  tokenTitle: string;
  token: string;
}

const addressTitles = {
  en: "Address",
  de: "Adresse",
  es: "Dirección",
  fr: "Adresse",
};

/** The texts say where to find the URL and the token in the pages of the server. */
export function createCredentialsSchema(
  texts: Readonly<Record<keyof typeof addressTitles, ServerTexts>>,
): SettingsSchema {
  const describe = (language: keyof typeof addressTitles) => {
    const { url, tokenTitle, token } = texts[language];
    return {
      url: { title: addressTitles[language], description: url },
      token: { title: tokenTitle, description: token },
    };
  };
  const { url, token } = describe("en");
  return {
    type: "object",
    required: ["url", "token"],
    additionalProperties: false,
    properties: {
      url: { type: "string", format: "uri", ...url },
      token: { type: "string", minLength: 1, writeOnly: true, ...token },
    },
    translations: {
      de: { properties: describe("de") },
      es: { properties: describe("es") },
      fr: { properties: describe("fr") },
    },
  };
}
