import type { Attachment } from "../../core/plugin-api/index.js";

const driveFile = /^https:\/\/drive\.google\.com\/file\/d\/([\w-]+)\//;

/** The link of a Drive file; after the `#` its name, which costs no request to read. */
export function fileLink(id: string, filename: string): string {
  return `https://drive.google.com/file/d/${id}/view#${encodeURIComponent(filename)}`;
}

/** The links in a cell, one a line; whatever else it holds is no file. */
export function attachmentsIn(text: string): Attachment[] {
  return linesOf(text).flatMap((line) =>
    /^https?:\/\//.test(line) && URL.canParse(line) ? [attachmentOf(line)] : [],
  );
}

function attachmentOf(url: string): Attachment {
  const { hash, pathname } = new URL(url);
  const remoteId = driveFile.exec(url)?.[1] ?? url;
  const name = hash === "" ? (pathname.split("/").at(-1) ?? "") : hash.slice(1);
  return { remoteId, filename: decoded(name), url };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the cell holds after links were added; all that was there stays. */
export function withLinks(text: string, links: readonly string[]): string {
  return [...linesOf(text), ...links].join("\n");
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
