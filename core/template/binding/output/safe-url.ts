/** What browsers drop before they read a scheme, and what no URL needs. */
const IGNORED = /[\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/g;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const BEFORE_PATH = /^[^/?#]*/;
const SCHEMES: readonly string[] = ["http", "https", "mailto", "tel", "asset"];
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The URL when it is relative or its scheme is allowed, else nothing. Not escaped. */
export function safeUrl(url: string): string {
  const trimmed = url.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, "");
  const read = trimmed.replaceAll(IGNORED, "");
  const scheme = SCHEME.exec(read)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const isRelative = !(BEFORE_PATH.exec(read)?.[0] ?? "").includes(":");
    return isRelative ? oneLine(trimmed) : "";
  }
  const isAllowed = SCHEMES.includes(scheme) || DATA_IMAGE.test(read);
  return isAllowed ? oneLine(trimmed) : "";
}

function oneLine(url: string): string {
  return url.replaceAll(/[\u0000-\u001f\u007f]/g, "").replaceAll(" ", "%20");
}
