import type {
  ImageContent,
  ResourceLink,
  TextContent,
} from "@modelcontextprotocol/server";

/** A block of text. */
export function textBlock(text: string): TextContent {
  return { type: "text", text };
}

/** An object as JSON without spaces: what it costs is counted in tokens. */
export function jsonText(data: object): TextContent {
  return textBlock(JSON.stringify(data));
}

/** A picture that the assistant sees. */
export function pictureBlock(
  bytes: Uint8Array,
  mimeType: "image/png" | "image/jpeg",
): ImageContent {
  const data = Buffer.from(bytes).toString("base64");
  return { type: "image", data, mimeType };
}

/** Where more is to be read, by `resources/read` or, with a web address, by a download. */
export function resourceLink(link: Omit<ResourceLink, "type">): ResourceLink {
  return { type: "resource_link", ...link };
}
