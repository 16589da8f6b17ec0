import type { Format } from "../../plugin-api/index.js";

const formatWords: Record<Format, string> = {
  pdf: "a PDF",
  html: "a web page",
  image: "a picture",
  mjml: "an email source",
};

/** Such as `A PDF and a picture`. */
export function formatsInWords(formats: readonly Format[]): string {
  const words = formats.map((format) => formatWords[format]);
  const last = words.pop() ?? "";
  const all = words.length > 0 ? `${words.join(", ")} and ${last}` : last;
  return all.charAt(0).toUpperCase() + all.slice(1);
}

/** Such as `84 KB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The badge beside a file's name. */
export function kindOf(filename: string): string {
  return (/\.(\w{1,4})$/.exec(filename)?.[1] ?? "file").toUpperCase();
}
