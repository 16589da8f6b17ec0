import {
  type ErrorCode,
  errorText,
  type PlatenError,
} from "../../plugin-api/index.js";
import { platformErrorOf } from "../../integrations/host/index.js";
import { platformWords } from "./platform-words.js";

/** What is said to people. */
export interface Words {
  title: string;
  lines: string[];
  /** Whether the same page may work in a moment. */
  mayRetry: boolean;
}

/** What went wrong, for people who have never seen an API. */
export interface PlainProblem extends Words {
  status: number;
  /** The error's own words, for whoever made the link; null when they say no more. */
  detail: string | null;
}

export function plainWords(
  error: PlatenError,
  requestId: string,
): PlainProblem {
  const { status, code, message } = error;
  const title = saidToPeople[code];
  if (title !== undefined)
    return { status, detail: null, title, lines: [message], mayRetry: false };
  const words = wordsOf(error);
  if (words === unexpected) {
    const detail = `The request has the id ${requestId}.`;
    return { status, detail, ...words };
  }
  return { status, detail: errorText(error), ...words };
}

/** Errors whose messages are written for these very readers, with a title for each. */
const saidToPeople: Partial<Record<ErrorCode, string>> = {
  unauthorized: "This link cannot be used",
  conflict: "Please start again",
  gone: "The files are not kept any more",
};

function wordsOf(error: PlatenError): Words {
  const refused = platformErrorOf(error);
  if (refused) return platformWords[refused.code];
  const known = error.problems.find(({ code }) => code in recordWords);
  if (known) return recordWords[known.code] ?? doesNotFit;
  if (error.code === "not_found") return gone;
  if (error.status < 500 && !error.retryable) return doesNotFit;
  return error.code === "internal" ? unexpected : busy;
}

const askOwner = "Ask whoever set this up for you.";

const noRecord: Words = {
  title: "No record was chosen",
  lines: [
    "This link makes a document of a record in your table. Open it with the button or the formula in that record.",
  ],
  mayRetry: false,
};

const missingRecord: Words = {
  title: "This record is not there",
  lines: [
    "It was deleted, or the link belongs to another table. Nothing was made.",
    "Go back to your table and press the button of a record there.",
  ],
  mayRetry: false,
};

const tooMany: Words = {
  title: "These are too many records",
  lines: ["Choose fewer, and press the button once more for the others."],
  mayRetry: false,
};

/** By the codes of problems with the records that were asked for. */
const recordWords: Record<string, Words> = {
  none_chosen: noRecord,
  missing: missingRecord,
  too_many: tooMany,
};

const gone: Words = {
  title: "This is not there any more",
  lines: [
    "The template, the connection or the page behind this link was removed.",
    askOwner,
  ],
  mayRetry: false,
};

const doesNotFit: Words = {
  title: "This does not fit together any more",
  lines: [
    "The template, the table or the link was changed since this link was made. Nothing was made.",
    askOwner,
  ],
  mayRetry: false,
};

const busy: Words = {
  title: "It is too busy just now",
  lines: ["Nothing was made. Wait a minute, then try again."],
  mayRetry: true,
};

const unexpected: Words = {
  title: "Something went wrong here",
  lines: ["It is not your fault. Try again in a minute."],
  mayRetry: true,
};
