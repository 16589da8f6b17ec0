import { PlatenError } from "../plugin-api/index.js";
import { EVENT_TYPES, type EventType } from "./events.js";

/** What an owner may choose; what is left out stays as it is, or takes its default. */
export interface EndpointInput {
  url: string;
  /** Default: all. */
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
}

export interface EndpointPatch {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  description?: string | null | undefined;
  isEnabled?: boolean | undefined;
}

const longestUrl = 2048;

/** Each type once, in our order. @throws PlatenError `invalid_request` for a word that is no type, or none at all. */
export function parseEventTypes(
  words: readonly string[] = EVENT_TYPES,
): EventType[] {
  const wrong = words.filter(
    (word) => !EVENT_TYPES.some((type) => type === word),
  );
  const types = EVENT_TYPES.filter((type) => words.includes(type));
  if (wrong.length === 0 && types.length > 0) return types;
  const what =
    wrong.length > 0
      ? `There is no event ${wrong.map((word) => `"${word}"`).join(", ")}.`
      : "An endpoint needs at least one event.";
  throw new PlatenError(
    "invalid_request",
    `${what} Events are: ${EVENT_TYPES.join(", ")}.`,
  );
}

/** @param check throws for an address that is never called. */
export function parseEndpointUrl(
  url: string,
  check: (url: string) => URL,
): string {
  const { href, hash } = check(url);
  if (hash !== "")
    throw refusal(
      "A webhook's url has no part behind #: it would not be sent.",
    );
  if (href.length > longestUrl)
    throw refusal(`A webhook's url has at most ${longestUrl} characters.`);
  return href;
}

function refusal(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
