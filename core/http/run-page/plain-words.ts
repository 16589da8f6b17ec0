import { errorText, PlatenError } from "../../contract/index.js";
import { platformErrorOf } from "../../host/index.js";

/** What went wrong, for people who have never seen an API. */
export interface PlainProblem {
  status: number;
  title: string;
  lines: string[];
  /** The error's own words, for whoever made the link; null when they say no more. */
  detail: string | null;
  /** Whether the same page may work in a moment. */
  mayRetry: boolean;
}

const askOwner = "Ask whoever set this up for you.";

/** @param platform as people know it. */
export function plainWords(error: unknown, requestId: string): PlainProblem {
  if (!(error instanceof PlatenError)) return unexpected(requestId);
  const refused = platformErrorOf(error);
  const { status } = error;
  const detail = errorText(error);
  if (refused) return { status, detail, ...platformWords(refused.code) };
  if (error.problems.some(isMissingRecord))
    return { status, detail, ...missingRecord };
  switch (error.code) {
    case "unauthorized":
      return {
        status,
        detail: null,
        ...said("This link cannot be used", error),
      };
    case "conflict":
      return { status, detail: null, ...said("Please start again", error) };
    case "not_found":
      return {
        status,
        detail,
        title: "This is not there any more",
        lines: [
          "The template, the connection or the page behind this link was removed.",
          askOwner,
        ],
        mayRetry: false,
      };
    case "gone":
      return {
        status,
        detail: null,
        ...said("The files are not kept any more", error),
      };
    case "busy":
    case "unavailable":
    case "timeout":
      return {
        status,
        detail,
        title: "It is too busy just now",
        lines: ["Nothing was made. Wait a minute, then try again."],
        mayRetry: true,
      };
    case "invalid_request":
    case "too_large":
    case "forbidden":
    case "merge_failed":
    case "invalid_definition":
      return doesNotFit(error);
    default:
      return unexpected(requestId);
  }
}

type Words = Pick<PlainProblem, "title" | "lines" | "mayRetry">;

/** Some messages are written for these very readers. */
function said(title: string, { message }: PlatenError): Words {
  return { title, lines: [message], mayRetry: false };
}

const missingRecord: Words = {
  title: "This record is not there",
  lines: [
    "It was deleted, or the link belongs to another table. Nothing was made.",
    "Go back to your table and press the button of a record there.",
  ],
  mayRetry: false,
};

function isMissingRecord({ path, code }: { path: string; code: string }) {
  return path.startsWith("$.recordIds") && code === "missing";
}

function doesNotFit(error: PlatenError): PlainProblem {
  const { status, message } = error;
  if (message === "No record was chosen.")
    return {
      status,
      detail: null,
      title: "No record was chosen",
      lines: [
        "This link makes a document of a record in your table. Open it with the button or the formula in that record.",
      ],
      mayRetry: false,
    };
  return {
    status,
    detail: errorText(error),
    title: "This does not fit together any more",
    lines: [
      "The template, the table or the link was changed since this link was made. Nothing was made.",
      askOwner,
    ],
    mayRetry: false,
  };
}

function platformWords(code: string): Words {
  switch (code) {
    case "auth":
    case "forbidden":
    case "bad_config":
      return {
        title: "Your table cannot be reached",
        lines: [
          "It does not let us in any more: access was withdrawn, or its password changed. Nothing was made.",
          askOwner,
        ],
        mayRetry: false,
      };
    case "rate_limited":
    case "unavailable":
    case "conflict":
      return {
        title: "Your table does not answer just now",
        lines: ["Nothing was made. Wait a minute, then try again."],
        mayRetry: true,
      };
    default:
      return {
        title: "Something in your table was changed",
        lines: [
          "A table or a field that this link needs was renamed or deleted. Nothing was made.",
          askOwner,
        ],
        mayRetry: false,
      };
  }
}

function unexpected(requestId: string): PlainProblem {
  return {
    status: 500,
    title: "Something went wrong here",
    lines: ["It is not your fault. Try again in a minute."],
    detail: `The request has the id ${requestId}.`,
    mayRetry: true,
  };
}
