/** Controls, blanks and marks that no eye sees; browsers drop some of them before they read a scheme. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BEFORE_PATH = /^[^/?#]*/;
const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel", "asset"];
/** Behind a link, SVG is a document, which may run scripts; drawn as an image, it runs none. */
const LINKED_DATA = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const DRAWN_DATA = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The address of a link when it is relative or its scheme is allowed, else nothing. Not escaped. */
export function safeUrl(url: string): string {
  return allowed(url, LINKED_DATA);
}

/** The same for the address of an image. */
export function safeImageUrl(url: string): string {
  return allowed(url, DRAWN_DATA);
}

function allowed(url: string, data: RegExp): string {
  return isSafe(url.replaceAll(UNSEEN, ""), data) ? withoutBlanks(url) : "";
}

function isSafe(url: string, data: RegExp): boolean {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) return SCHEMES.includes(scheme) || data.test(url);
  return BEFORE_PATH.exec(url)?.[0].includes(":") !== true;
}

function withoutBlanks(url: string): string {
  return url
    .trim()
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(" ", "%20");
}
