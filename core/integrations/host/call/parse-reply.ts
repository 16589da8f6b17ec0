import {
  PlatformError,
  type PlatformReply,
} from "../../../plugin-api/index.js";

/**
 * What a reply's JSON says, and null for no body at all. @throws PlatformError `unavailable` for a 2xx that is no JSON;
 * of any other status that is none, its text is returned.
 */
export function parseReply(
  { status, headers, body }: PlatformReply,
  url: string,
): unknown {
  const text = new TextDecoder().decode(body);
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (status < 200 || status > 299) return text;
    throw new PlatformError(
      "unavailable",
      `${new URL(url).host} answered ${status} with ${kindOf(headers)} in place of JSON, as login pages and proxies ` +
        "do. Mend the address of the connection, or what stands between.",
      { cause, status },
    );
  }
}

function kindOf(headers: Readonly<Record<string, string>>): string {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type === "" ? "something else" : type;
}
