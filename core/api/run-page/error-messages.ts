import { platformErrorOf } from "../../integrations/host/index.js";
import {
  type ErrorCode,
  errorText,
  type PlatenError,
  type PlatformErrorCode,
} from "../../plugin-api/index.js";

/** What is said to people. */
interface Message {
  title: string;
  lines: string[];
  /** Whether the same page may work in a moment. */
  mayRetry: boolean;
}

/** What went wrong, for people who have never seen an API. */
interface ErrorMessage extends Message {
  status: number;
  /** The error's own message, for the link's creator; null when it adds nothing. */
  detail: string | null;
}

export function describeError(
  error: PlatenError,
  requestId: string,
): ErrorMessage {
  const { status, code, message } = error;
  const title = errorTitles[code];
  if (title !== undefined)
    return { status, detail: null, title, lines: [message], mayRetry: false };
  const words = findMessage(error);
  if (words === unexpected) {
    const detail = `The request has the id ${requestId}.`;
    return { status, detail, ...words };
  }
  return { status, detail: errorText(error), ...words };
}

/** Errors whose messages are written for these very readers, with a title for each. */
const errorTitles: Partial<Record<ErrorCode, string>> = {
  unauthorized: "This link cannot be used",
  conflict: "Please start again",
  gone: "The files are not kept any more",
};

function findMessage(error: PlatenError): Message {
  const refused = platformErrorOf(error);
  if (refused) return platformMessages[refused.code];
  const known = error.problems.find(({ code }) => code in recordMessages);
  if (known) return recordMessages[known.code] ?? doesNotFit;
  if (error.code === "not_found") return removed;
  if (error.status < 500 && !error.retryable) return doesNotFit;
  return error.code === "internal" ? unexpected : busy;
}

const askOwner = "Ask whoever set this up for you.";

const noRecord: Message = {
  title: "No record was chosen",
  lines: [
    "This link makes a document of a record in your table. Open it with the button or the formula in that record.",
  ],
  mayRetry: false,
};

const missingRecord: Message = {
  title: "This record is not there",
  lines: [
    "It was deleted, or the link belongs to another table. Nothing was made.",
    "Go back to your table and press the button of a record there.",
  ],
  mayRetry: false,
};

const tooMany: Message = {
  title: "These are too many records",
  lines: ["Choose fewer, and press the button once more for the others."],
  mayRetry: false,
};

/** By the codes of problems with the records that were asked for. */
const recordMessages: Record<string, Message> = {
  none_chosen: noRecord,
  missing: missingRecord,
  too_many: tooMany,
};

const removed: Message = {
  title: "This is not there any more",
  lines: [
    "The template, the connection or the page behind this link was removed.",
    askOwner,
  ],
  mayRetry: false,
};

const doesNotFit: Message = {
  title: "This does not fit together any more",
  lines: [
    "The template, the table or the link was changed since this link was made. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

const busy: Message = {
  title: "It is too busy just now",
  lines: ["Nothing was made. Wait a minute, then try again."],
  mayRetry: true,
};

const unexpected: Message = {
  title: "Something went wrong here",
  lines: ["It is not your fault. Try again in a minute."],
  mayRetry: true,
};

const accessDenied: Message = {
  title: "Your table cannot be reached",
  lines: [
    "It does not let us in any more: access was withdrawn, or its password changed. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

const notResponding: Message = {
  title: "Your table does not answer just now",
  lines: ["Nothing was made. Wait a minute, then try again."],
  mayRetry: true,
};

const tableChanged: Message = {
  title: "Something in your table was changed",
  lines: [
    "A table or a field that this link needs was renamed or deleted. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

/** What it means to people when their table refuses. */
const platformMessages: Record<PlatformErrorCode, Message> = {
  auth: accessDenied,
  forbidden: accessDenied,
  bad_config: accessDenied,
  rate_limited: notResponding,
  unavailable: notResponding,
  conflict: notResponding,
  not_found: tableChanged,
  invalid_field: tableChanged,
  unsupported: tableChanged,
  too_large: tableChanged,
};
