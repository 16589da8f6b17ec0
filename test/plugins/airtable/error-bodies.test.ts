import { expect } from "chai";
import { describe, it } from "mocha";
import type { PlatformErrorCode } from "../../../core/plugin-api/index.js";
import { airtableHost } from "./airtable-setup.js";
import { useNock } from "../../support/use-nock.js";

const endpointUrl = "https://airtable.invalid";
const scope = { baseId: "appAAAAAAAAAAAAAA", tableId: "Orders" };
const ids = ["recAAAAAAAAAAAAAA"];

/** Status, body as Airtable sends it, code, and what the message says. */
const cases: [number, unknown, PlatformErrorCode, RegExp][] = [
  [
    401,
    { error: { type: "AUTHENTICATION_REQUIRED", message: "…" } },
    "auth",
    /Create a new one/,
  ],
  [
    403,
    {
      error: { type: "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND", message: "…" },
    },
    "not_found",
    /id is wrong, or the token lacks the scope data\.records:read/,
  ],
  [
    403,
    { error: { type: "NOT_AUTHORIZED", message: "…" } },
    "forbidden",
    /scope data\.records:read/,
  ],
  [404, { error: "NOT_FOUND" }, "not_found", /no such base, table or record/],
  [
    422,
    { error: { type: "UNKNOWN_FIELD_NAME", message: 'Unknown field "X"' } },
    "invalid_field",
    /UNKNOWN_FIELD_NAME.*Unknown field "X"/,
  ],
  [
    422,
    {
      error: { type: "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", message: "…" },
    },
    "unavailable",
    /Try again/,
  ],
  [
    429,
    { errors: [{ error: "RATE_LIMIT_REACHED", message: "…" }] },
    "rate_limited",
    /30 seconds/,
  ],
  [
    429,
    {
      errors: [{ error: "PUBLIC_API_BILLING_LIMIT_EXCEEDED", message: "…" }],
    },
    "quota_exceeded",
    /used up the API calls.*Upgrade/,
  ],
  [500, "<h1>Oops</h1>", "unavailable", /500/],
  [503, { error: { type: "SERVICE_UNAVAILABLE" } }, "unavailable", /503/],
  [200, "<h1>Sign in</h1>", "unavailable", /a login page/],
  [200, { error: "?" }, "unavailable", /unexpected response/],
];

describe("an error response from Airtable", () => {
  const using = useNock();

  for (const [status, body, code, words] of cases)
    it(`is reported as ${code} for ${status} ${JSON.stringify(body)}`, async () => {
      using
        .nock(endpointUrl)
        .persist()
        .post(/./)
        .reply(status, JSON.stringify(body));
      const host = airtableHost({ token: "pat.secret", endpointUrl });
      const error: unknown = await host
        .fetchRows(scope, ids)
        .catch((thrown: unknown) => thrown);
      using.nock.cleanAll();
      expect(error).to.include({ name: "PlatformError", code });
      expect(error).property("message").to.match(words);
      expect(error).property("message").not.to.contain("pat.secret");
    });

  it("that a month's quota is used up is not waited for and sent again", async () => {
    let requests = 0;
    using
      .nock(endpointUrl)
      .persist()
      .post(/./)
      .reply(() => {
        requests += 1;
        const error = "PUBLIC_API_BILLING_LIMIT_EXCEEDED";
        return [429, { errors: [{ error }] }];
      });
    const host = airtableHost({ token: "pat.secret", endpointUrl });
    await host.fetchRows(scope, ids).catch(() => null);
    using.nock.cleanAll();
    expect(requests).to.equal(1);
  });
});
