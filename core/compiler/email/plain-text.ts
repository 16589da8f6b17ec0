/** Parts that are not read: styles, comments with Outlook's own markup, and what is hidden, such as the preview line. */
const UNREAD =
  /<(style|head|title)\b[^]*?<\/\1>|<!--[^]*?-->|<div style="display:none;[^]*?<\/div>/g;
const LINK = /<a\b[^>]*?\shref="([^"]*)"[^>]*>([^]*?)<\/a>/g;
const IMAGE = /<img\b[^>]*?\salt="([^"]*)"[^>]*>/g;
const BREAK =
  /<br\b[^>]*>|<\/?(?:p|div|h[1-6]|li|ul|ol|tr|table|blockquote|pre|hr)\b[^>]*>/g;

/** The text alternative of an email, for readers that show no html: its words, line by line, with the URLs of links. */
export function toPlainText(html: string): string {
  return (
    decodeEntities(
      html
        .replaceAll(UNREAD, "")
        .replaceAll(/\s+/g, " ")
        .replaceAll(IMAGE, (_image, alt: string) => alt)
        // A program that links URLs would read the next word as a part of one.
        .replaceAll(/<\/a>(?=<a\b)/g, "</a><br>")
        .replaceAll(LINK, (_link, url: string, content: string) => {
          const words = content.replaceAll(/<[^>]*>/g, "").trim();
          return words === "" || words === url ? url : `${words}: ${url}`;
        })
        .replaceAll("<li", "<li>- <span")
        .replaceAll(/<\/t[dh]>/g, " ")
        .replaceAll(BREAK, "\n")
        .replaceAll(/<[^>]*>/g, ""),
    )
      .split("\n")
      .map((line) => line.replaceAll(/[^\S\n]+/g, " ").trim())
      .join("\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim() + "\n"
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

function decodeEntities(text: string): string {
  return text
    .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|\w+);/gi, (entity, name: string) => {
      if (!name.startsWith("#")) return ENTITIES[name] ?? entity;
      const isHex = /^#x/i.test(name);
      const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .replaceAll(/[\u200a-\u200d\ufeff]/g, "");
}
