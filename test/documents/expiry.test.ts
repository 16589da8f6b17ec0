import { expect } from "chai";
import { parseExpiry } from "../../core/documents/index.js";

const now = new Date("2026-07-31T12:00:00.000Z");

function expiry(text?: string): string {
  try {
    return parseExpiry(text, now).toISOString();
  } catch (error) {
    return error instanceof Error && "code" in error
      ? String(error.code)
      : String(error);
  }
}

describe("the expiry of a document", () => {
  const cases: [given: string | undefined, expected: string][] = [
    [undefined, "2026-08-01T12:00:00.000Z"],
    ["2026-08-02", "2026-08-02T23:59:59.999Z"],
    ["2026-07-31", "2026-07-31T23:59:59.999Z"],
    ["2026-08-02T10:00:00Z", "2026-08-02T10:00:00.000Z"],
    ["2026-08-02T10:00:00.5Z", "2026-08-02T10:00:00.500Z"],
    ["2026-08-02T10:00:00+02:00", "2026-08-02T08:00:00.000Z"],
    ["2026-08-02T10:00:00", "2026-08-02T10:00:00.000Z"],
    ["2026-08-02T10:00", "2026-08-02T10:00:00.000Z"],
    ["2026-07-31T12:00:00Z", "invalid_request"],
    ["2026-07-30", "invalid_request"],
    ["2026-02-30", "invalid_request"],
    ["2027-02-30T10:00:00Z", "invalid_request"],
    ["2026-08-02T25:00:00Z", "invalid_request"],
    ["tomorrow", "invalid_request"],
    ["08/02/2026", "invalid_request"],
    ["1785600000000", "invalid_request"],
    ["", "invalid_request"],
  ];

  for (const [input, expected] of cases)
    it(`is ${expected} for ${input ?? "no value"}`, () => {
      expect(expiry(input)).to.equal(expected);
    });
});
