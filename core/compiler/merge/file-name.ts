import type { Run } from "./run.js";

const LONGEST = 120;

/** A merged name made fit for every file system, without extension; null when nothing is left of it. */
export function safeFileName(merged: string): string | null {
  const name = merged
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .slice(0, LONGEST)
    .replace(/^[.\s-]+|[.\s\p{Cs}-]+$/gu, "");
  return name === "" ? null : name;
}

/** The same of a run, which may keep braces apart: once more, since what stood between two may be gone by then. */
export function guardedFileName(
  merged: string,
  run: Pick<Run, "guardText">,
): string | null {
  return safeFileName(run.guardText(safeFileName(merged) ?? ""));
}
