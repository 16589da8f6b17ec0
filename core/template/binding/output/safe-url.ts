/** Controls, blanks and marks that no eye sees; browsers drop some of them before they read a scheme. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}]/gu;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BEFORE_PATH = /^[^/?#]*/;
const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel", "asset"];
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The URL when it is relative or its scheme is allowed, else nothing. Not escaped. */
export function safeUrl(url: string): string {
  return isSafe(url.replaceAll(UNSEEN, "")) ? withoutControls(url) : "";
}

function isSafe(url: string): boolean {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined) {
    return SCHEMES.includes(scheme) || DATA_IMAGE.test(url);
  }
  return BEFORE_PATH.exec(url)?.[0].includes(":") !== true;
}

function withoutControls(url: string): string {
  return url
    .trim()
    .replaceAll(/\p{Cc}/gu, "")
    .replaceAll(" ", "%20");
}
