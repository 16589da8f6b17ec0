import { pictureFault } from "./picture-fault.js";

/** The bytes of a data URL, of whatever type it says to be. @throws PlatenError when it holds none. */
export function bytesOfDataUrl(url: string): Buffer {
  const [, parameters = "", content = ""] =
    /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  const text = decoded(content);
  const bytes = /;\s*base64\s*$/i.test(parameters)
    ? Buffer.from(text, "base64")
    : Buffer.from(text);
  if (bytes.length === 0) throw pictureFault("The data URL is empty.");
  return bytes;
}

function decoded(content: string): string {
  if (!content.includes("%")) return content;
  try {
    return decodeURIComponent(content);
  } catch (error) {
    throw pictureFault("The data URL is damaged.", error);
  }
}
