const SPECIAL = /[&<>"'\p{Cc}]/u;
const EACH_SPECIAL = /[&<>"'\p{Cc}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\t": "\t",
  "\n": "\n",
  "\r": "\r",
};

/** For text and for attribute values alike. Control characters are dropped: neither HTML nor XML can hold them. */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(EACH_SPECIAL, (char) => ENTITIES[char] ?? "");
}
