import { expect } from "chai";
import { describe, it } from "mocha";
import type { PlatformErrorCode } from "../../../core/plugin-api/index.js";
import { googleHost } from "./google-setup.js";
import { useNock } from "../../support/use-nock.js";

const endpointUrl = "https://google.invalid";
const scope = { baseId: "spreadsheet-1", tableId: "Orders" };

function body(message: string, reason: string): unknown {
  return { error: { message, errors: [{ reason }], details: [{ reason }] } };
}

/** Status, body as Google sends it, code, and what the message says. */
const cases: [number, unknown, PlatformErrorCode, RegExp][] = [
  [401, body("Invalid credentials", "authError"), "auth", /Create a new key/],
  [
    403,
    body("The caller does not have permission", "forbidden"),
    "forbidden",
    /Share it with the user of the connection/,
  ],
  [
    403,
    body("Insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"),
    "forbidden",
    /lacks the scopes .*spreadsheets and /,
  ],
  [
    403,
    body("Sheets API has not been used in project 1", "SERVICE_DISABLED"),
    "bad_config",
    /has not been used in project 1/,
  ],
  [
    403,
    body("User rate limit exceeded", "userRateLimitExceeded"),
    "rate_limited",
    /no more requests/,
  ],
  [404, body("Requested entity was not found", "notFound"), "not_found", /id/],
  [
    400,
    body("Unable to parse range: 'Orders'!1:11", "badRequest"),
    "not_found",
    /did not find the sheet "Orders"/,
  ],
  [429, body("Quota exceeded", "rateLimitExceeded"), "rate_limited", /moment/],
  [500, "<h1>Oops</h1>", "unavailable", /refused/],
];

describe("an error response from Google", () => {
  const using = useNock();

  const rejected = async () => {
    const credentials = { clientId: "client", clientSecret: "very-secret" };
    const host = googleHost({
      ...credentials,
      refreshToken: "refresh",
      endpointUrl,
    });
    const error: unknown = await host
      .fetchRows(scope, ["1"])
      .catch((thrown: unknown) => thrown);
    using.nock.cleanAll();
    expect(error).property("message").not.to.contain("very-secret");
    return error;
  };

  for (const [status, reply, code, words] of cases)
    it(`is reported as ${code} for ${status} ${JSON.stringify(reply)}`, async () => {
      const token = { access_token: "access", expires_in: 3599 };
      using.nock(endpointUrl).persist().post("/token").reply(200, token);
      const headers = { "content-type": "application/json" };
      const text = JSON.stringify(reply);
      using.nock(endpointUrl).persist().get(/./).reply(status, text, headers);
      const error = await rejected();
      expect(error).to.include({ name: "PlatformError", code });
      expect(error).property("message").to.match(words);
    });

  it("is reported as auth for a revoked consent", async () => {
    const reply = { error: "invalid_grant", error_description: "Revoked." };
    using.nock(endpointUrl).persist().post("/token").reply(400, reply);
    const error = await rejected();
    expect(error).to.include({ name: "PlatformError", code: "auth" });
    expect(error).property("message").to.contain("Revoked.");
  });
});
