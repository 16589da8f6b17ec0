import { QueryFailedError } from "typeorm";

// What the databases' own error codes mean to us.

function codeOf(error: unknown): string {
  const cause: unknown =
    error instanceof QueryFailedError ? error.driverError : error;
  if (!(cause instanceof Error) || !("code" in cause)) return "";
  return typeof cause.code === "string" ? cause.code : "";
}

/** Another process holds SQLite's lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** The transaction lost against another one; trying it again can succeed. */
export function isDeadlock(error: unknown): boolean {
  return ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "ER_CHECKREAD"].includes(
    codeOf(error),
  );
}

/** A row with this unique value exists already. */
export function isDuplicate(error: unknown): boolean {
  return /^(ER_DUP_ENTRY|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/.test(
    codeOf(error),
  );
}
