const MAX_CHARACTERS = 120;

/** A name that every file system accepts, without extension; null when nothing is left of it. */
export function toFileName(name: string): string | null {
  const safe = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .slice(0, MAX_CHARACTERS)
    .replace(/^[.\s-]+|[.\s\p{Cs}-]+$/gu, "");
  return safe === "" ? null : safe;
}
