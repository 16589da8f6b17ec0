import { Raw } from "typeorm";

/** A name as it is searched, in all alphabets and on every database alike. */
export function searchNameOf(name: string): string {
  return name.toLowerCase();
}

/** Those that contain the text; `%`, `_` and the mark that escapes them stand for themselves. */
export function nameContains(text: string) {
  const pattern = `%${searchNameOf(text).replaceAll(/[!%_]/g, "!$&")}%`;
  return Raw((column) => `${column} LIKE :pattern ESCAPE '!'`, { pattern });
}
