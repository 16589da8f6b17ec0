import { PlatenError } from "../../plugin-api/index.js";

const DATA_URL = /^data:[^,]{0,200},/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The bytes of base64, also of its variant for addresses, with line breaks, or in a data URL. @throws PlatenError */
export function base64Bytes(text: string, maxBytes: number): Buffer {
  const head = DATA_URL.exec(text)?.[0] ?? "";
  if (head !== "" && !/;\s*base64\s*,$/i.test(head))
    throw refusal("is a data URL without base64.");
  // Cut before it is cleaned: what is too long is not worked on.
  const rest = text.slice(head.length);
  if (rest.length > maxBytes * 1.5 + 1024) throw tooLarge(maxBytes);
  const clean = rest.replace(/\s+/g, "");
  if (!BASE64.test(clean)) throw refusal("is not base64.");
  return Buffer.from(clean, "base64");
}

function refusal(message: string): PlatenError {
  const hint =
    "Send the file's bytes in base64, by themselves or as a data URL.";
  return new PlatenError("invalid_request", "The file cannot be read.", {
    problems: [{ path: "$.base64Data", code: "base64", message, hint }],
  });
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The file is larger than the ${maxBytes} bytes that one may have.`,
  );
}
