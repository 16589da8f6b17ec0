const longest = 100;

/** A name that every file system takes, made of a template's name; without extension. */
export function safeFileName(name: string): string {
  const safe = name
    .replaceAll(/[\\/:*?"<>|\p{Control}]+/gu, "-")
    .replaceAll(/\s+/g, " ")
    .replace(/^[.\s-]+|[.\s-]+$/g, "");
  const letters = Array.from(new Intl.Segmenter().segment(safe));
  const short = letters.slice(0, longest).map(({ segment }) => segment);
  return short.join("") || "document";
}
