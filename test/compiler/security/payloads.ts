import { readFileSync } from "node:fs";

const json = readFileSync(new URL("payloads.json", import.meta.url), "utf8");

/**
 * Strings by their kind that somebody might send to make a document do, show or read what it should not. `breach()` stands
 * for any code, `evil.example` for any server. Each is tried as a part of a definition and as data.
 */
export const payloads: Readonly<Record<string, readonly string[]>> =
  JSON.parse(json);
