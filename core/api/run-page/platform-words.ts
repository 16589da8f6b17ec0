import type { PlatformErrorCode } from "../../plugin-api/index.js";
import type { Words } from "./plain-words.js";

const askOwner = "Ask whoever set this up for you.";

const locked: Words = {
  title: "Your table cannot be reached",
  lines: [
    "It does not let us in any more: access was withdrawn, or its password changed. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

const silent: Words = {
  title: "Your table does not answer just now",
  lines: ["Nothing was made. Wait a minute, then try again."],
  mayRetry: true,
};

const changed: Words = {
  title: "Something in your table was changed",
  lines: [
    "A table or a field that this link needs was renamed or deleted. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

/** What it means to people when their table refuses. */
export const platformWords: Record<PlatformErrorCode, Words> = {
  auth: locked,
  forbidden: locked,
  bad_config: locked,
  rate_limited: silent,
  unavailable: silent,
  conflict: silent,
  not_found: changed,
  invalid_field: changed,
  unsupported: changed,
  too_large: changed,
};
