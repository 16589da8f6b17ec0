// @ts-check
import { ask } from "./client.js";
import { readAttachments, writeBack } from "./files.js";
import { readModel } from "./model.js";
import { fetchRows } from "./rows.js";

/** @type {import("platen/contract").PlatformPlugin<import("./client.js").Credentials>} */
export const plugin = {
  meta: {
    kind: "platform",
    id: "directus",
    title: "Directus",
    version: "1.0.0",
    api: 1,
    platen: ">=0.1.0 <1.0.0",
  },
  credentials: {
    schema: {
      type: "object",
      required: ["url", "token"],
      additionalProperties: false,
      properties: {
        url: {
          type: "string",
          format: "uri",
          title: "Address",
          description: "Of your Directus, with a slash at the end.",
        },
        token: {
          type: "string",
          title: "Static token",
          description: "In Directus: the user's page, Token, Generate, Save.",
          writeOnly: true,
        },
      },
    },
  },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 50 * 1024 * 1024,
    maxIdsPerFetch: 100,
    keepsFilename: true,
    readBack: true,
  },
  rate: {
    key: ({ url }) => url,
    maxPerSecond: 25,
    maxInFlight: 4,
    cooldownMs: 1000,
  },
  check: async (context) => {
    const { email, first_name } = await ask(context, "users/me");
    return { account: email ?? first_name ?? "a user without a name" };
  },
  describe: async (context) => {
    const model = await readModel(context);
    return Array.from(model.values(), ({ name, key, fields }) => ({
      id: name,
      name,
      primaryFieldId: key,
      fields,
    }));
  },
  fetchRows,
  writeBack,
  readAttachments,
};
