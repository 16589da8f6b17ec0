const maxCharacters = 120;

/** A name without extension that is valid in every file system; null when nothing is left. */
export function toFileName(name: string): string | null {
  const safe = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[\\/:*?"<>|]+/g, "-")
    .replace(/\s+/g, " ")
    .slice(0, maxCharacters)
    .replace(/^[.\s-]+|[.\s\p{Cs}-]+$/gu, "");
  return safe === "" ? null : safe;
}
