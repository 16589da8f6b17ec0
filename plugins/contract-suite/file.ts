import { randomBytes } from "node:crypto";
import type { OutFile } from "../../core/plugin-api/index.js";

/** A small text file with contents of its own, and a public link that leads nowhere: no platform is made to fetch it. */
export function fileNamed(filename: string): OutFile {
  const id = randomBytes(8).toString("hex");
  const content = Buffer.from(`${filename} ${id}`);
  return {
    key: `contract-suite/${id}`,
    filename,
    contentType: "text/plain",
    sizeBytes: content.length,
    bytes: () => Promise.resolve(content),
    publicUrl: () => Promise.resolve(`https://files.example.com/${id}`),
  };
}
