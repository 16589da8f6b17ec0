import { findPlatformError } from "../../integrations/host/index.js";
import {
  type ErrorCode,
  formatError,
  type PlatenError,
  type PlatformErrorCode,
} from "../../plugin-api/index.js";
import type { MessageKey, Translate } from "./messages.js";

interface ErrorPage {
  title: MessageKey;
  lines: MessageKey[];
  /** Whether the same page may work in a moment. */
  mayRetry: boolean;
}

/** An error, described for people who have never seen an API. */
interface ErrorMessage {
  status: number;
  title: string;
  lines: string[];
  mayRetry: boolean;
  /** The error's own message, for the link's creator; null when it adds nothing. */
  detail: string | null;
}

export function describeError(
  error: PlatenError,
  requestId: string,
  t: Translate,
): ErrorMessage {
  const { status, code, message } = error;
  const title = errorTitles[code];
  if (title !== undefined && !findKnownPage(error)) {
    const lines = [message];
    return { status, detail: null, title: t(title), lines, mayRetry: false };
  }
  const page = findPage(error);
  return {
    status,
    title: t(page.title),
    lines: page.lines.map((line) => t(line)),
    mayRetry: page.mayRetry,
    detail:
      page === unexpected
        ? t("requestId", { id: requestId })
        : formatError(error),
  };
}

/** The titles of errors whose own messages are written for these readers. */
const errorTitles: Partial<Record<ErrorCode, MessageKey>> = {
  conflict: "startAgain",
  gone: "filesGone",
};

function findPage(error: PlatenError): ErrorPage {
  const platformError = findPlatformError(error);
  if (platformError) return platformPages[platformError.code];
  const knownPage = findKnownPage(error);
  if (knownPage) return knownPage;
  if (error.code === "not_found") return removed;
  if (error.status < 500 && !error.retryable) return outdated;
  return error.code === "internal" ? unexpected : busy;
}

function findKnownPage({ problems }: PlatenError): ErrorPage | undefined {
  return problems
    .map(({ code }) => problemPages[code])
    .find((page) => page !== undefined);
}

function createPage(title: MessageKey, ...lines: MessageKey[]): ErrorPage {
  return { title, lines, mayRetry: false };
}

/** By the codes of problems with the link and the requested records. */
const problemPages: Partial<Record<string, ErrorPage>> = {
  paused: { ...createPage("paused", "pausedWhy", "askOwner"), mayRetry: true },
  revoked: createPage("linkUnusable", "revokedWhy", "askOwner"),
  expired: createPage("linkExpired", "expiredWhy", "askOwner"),
  deleted: createPage("linkUnusable", "deletedWhy", "askOwner"),
  incomplete: createPage("linkUnusable", "incompleteWhy"),
  none_selected: createPage("nothingToCreate", "noneLeft"),
  none_chosen: createPage("noRecord", "noRecordHelp"),
  missing: createPage(
    "recordNotFound",
    "recordNotFoundWhy",
    "recordNotFoundHelp",
  ),
  too_many: createPage("tooManyRecords", "tooManyRecordsHelp"),
};

const removed = createPage("removed", "removedWhy", "askOwner");
const outdated = createPage("outdated", "outdatedWhy", "askOwner");
const busy = { ...createPage("busy", "waitAMinute"), mayRetry: true };
const unexpected = {
  ...createPage("unexpected", "unexpectedHelp"),
  mayRetry: true,
};
const accessDenied = createPage("accessDenied", "accessDeniedWhy", "askOwner");
const notResponding = {
  ...createPage("notResponding", "waitAMinute"),
  mayRetry: true,
};
const tableChanged = createPage("tableChanged", "tableChangedWhy", "askOwner");

/** By the code of the platform's error. */
const platformPages: Record<PlatformErrorCode, ErrorPage> = {
  auth: accessDenied,
  forbidden: accessDenied,
  bad_config: accessDenied,
  rate_limited: notResponding,
  quota_exceeded: createPage("quotaUsedUp", "quotaUsedUpWhy", "askOwner"),
  unavailable: notResponding,
  try_later: notResponding,
  conflict: notResponding,
  not_found: tableChanged,
  invalid_field: tableChanged,
  unsupported: tableChanged,
  too_large: tableChanged,
};
