import { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";

const dayMs = 24 * 60 * 60_000;
const date = z.iso.date();
const withOffset = z.iso.datetime({ offset: true });
const withoutOffset = z.iso.datetime({ local: true });

/**
 * When a document's files and links end: 24 hours from `now` unless told otherwise. A date means the end of that day
 * in UTC; a timestamp without offset is in UTC.
 * @throws PlatenError `invalid_request` for what is no such text, and for the past.
 */
export function parseExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + dayMs);
  const expiresAt = parseInstant(text);
  if (expiresAt === null)
    throw refusal(
      `is no date or timestamp of ISO 8601: ${JSON.stringify(text.slice(0, 60))}.`,
    );
  if (expiresAt <= now)
    throw refusal(`is in the past (${expiresAt.toISOString()}).`);
  return expiresAt;
}

function parseInstant(text: string): Date | null {
  if (date.safeParse(text).success) return new Date(`${text}T23:59:59.999Z`);
  if (withOffset.safeParse(text).success) return new Date(text);
  if (withoutOffset.safeParse(text).success) return new Date(`${text}Z`);
  return null;
}

function refusal(message: string): PlatenError {
  return new PlatenError("invalid_request", "The expiry is not right.", {
    problems: [
      {
        path: "$.expiresAt",
        code: "expiry",
        message,
        hint: 'Give a coming day such as "2030-01-31", or an instant such as "2030-01-31T12:00:00Z".',
      },
    ],
  });
}
