import { PlatenError, type Problem } from "../../plugin-api/index.js";
import { parseExpiry } from "../../documents/index.js";
import { problem } from "./refusal.js";

const dayMs = 24 * 60 * 60_000;
/** Databases know no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** What a caller says of when the request ends. @returns null when they leave it to the template. */
export function askedExpiry(
  text: string | undefined,
  now: Date,
): { expiresAt: Date | null; problems: Problem[] } {
  if (text === undefined) return { expiresAt: null, problems: [] };
  try {
    return { expiresAt: parseExpiry(text, now), problems: [] };
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error;
    const path = "$.esignSettings.expiresAt";
    const problems = error.problems.map((one) => ({ ...one, path }));
    return { expiresAt: null, problems };
  }
}

/** What the template says of it. */
export function toldExpiry(days: number | null, now: Date): Date | null {
  if (days === null) return null;
  return new Date(Math.min(now.getTime() + days * dayMs, latest));
}

/** Where the provider ends no request by itself, we do: for which it has to be withdrawn there. */
export function expiryProblems(
  expiresAt: Date | null,
  { expiry, cancel }: { expiry: string; cancel: boolean },
  title: string,
): Problem[] {
  if (expiresAt === null || expiry !== "none" || cancel) return [];
  return [
    problem(
      "$.esignSettings.expiresAt",
      "expiry",
      `${title} can neither end a request by itself nor withdraw one.`,
      "Leave it out.",
    ),
  ];
}
