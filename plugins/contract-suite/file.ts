import { randomBytes } from "node:crypto";
import type { OutFile } from "../../core/contract/index.js";

/** A small text file with contents of its own. Serves no public address: a plugin that needs one says so. */
export function fileNamed(
  filename: string,
  publicUrl?: OutFile["publicUrl"],
): OutFile {
  const content = Buffer.from(`${filename} ${randomBytes(8).toString("hex")}`);
  return {
    key: `contract-suite/${filename}/${randomBytes(4).toString("hex")}`,
    filename,
    contentType: "text/plain",
    sizeBytes: content.length,
    bytes: () => Promise.resolve(content),
    ...(publicUrl ? { publicUrl } : {}),
  };
}
