import { expect } from "chai";
import { PlatformError } from "../../core/plugin-api/index.js";
import { airtablePlugin } from "../../plugins/airtable/plugin.js";
import { SuiteHost } from "../../plugins/contract-suite/platform-session.js";
import { directusPlugin } from "../../plugins/directus/plugin.js";
import { createGoogleSheetsPlugin } from "../../plugins/google-sheets/plugin.js";
import { nocodbPlugin } from "../../plugins/nocodb/plugin.js";
import { useRecorded } from "../support/recorded.js";
import { useNock } from "../support/use-nock.js";

const url = "https://platform.invalid";
const secret = "very-secret-1";
const orders = { baseId: "appAAAAAAAAAAAAAA", tableId: "Orders" };
const ids = ["recAAAAAAAAAAAAAA", "recBBBBBBBBBBBBBB"];

/** Reads rows with each plugin. */
const reads: Record<string, () => Promise<unknown>> = {
  airtable: () =>
    new SuiteHost(airtablePlugin, {
      token: secret,
      endpointUrl: url,
    }).fetchRows(orders, ids),
  "google-sheets": () =>
    new SuiteHost(createGoogleSheetsPlugin(3000), {
      clientId: "client",
      clientSecret: secret,
      refreshToken: "refresh",
      endpointUrl: url,
    }).fetchRows(orders, ["1"]),
  nocodb: () =>
    new SuiteHost(nocodbPlugin, { url, token: secret }).fetchRows(orders, [
      "1",
    ]),
  directus: () =>
    new SuiteHost(directusPlugin, { url, token: secret }).fetchRows(
      { tableId: "orders" },
      ["1"],
    ),
};

describe("the error that a plugin makes of a reply of", () => {
  const using = useNock();

  useRecorded(new URL("replies.txt", import.meta.url), async (input, name) => {
    const [, which, status, body = ""] =
      /^(token )?(\d+) (.*)$/.exec(input) ?? [];
    const headers = { "content-type": "application/json" };
    let requests = 0;
    const reply = (): [number, string, Record<string, string>] => {
      requests += 1;
      return [Number(status), body, headers];
    };
    const server = () => using.nock(url).persist();
    if (name === "google-sheets" && which === undefined)
      server()
        .post("/token")
        .reply(200, { access_token: "access", expires_in: 3599 });
    server().get(/./).reply(reply);
    server().post(/./).reply(reply);
    const error: unknown = await reads[name]?.().catch((one: unknown) => one);
    using.nock.cleanAll();
    if (!(error instanceof PlatformError)) throw error;
    expect(error.message).to.not.contain(secret);
    const message = error.message.replaceAll("\n", "⏎");
    // Others send several requests at once, of which the first refusal ends the rest.
    const count = name === "airtable" ? ` after ${requests}` : "";
    return [`${error.code}${count}: ${message}`];
  });
});
