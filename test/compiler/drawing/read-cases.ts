import { readFileSync } from "node:fs";

/** The drawings that a file lists, each with its name. */
export function readCases<Drawing>(file: string): [string, Drawing][] {
  const lines = readFileSync(new URL(file, import.meta.url), "utf8");
  return [...lines.matchAll(/^([\w-]+) (.*)/gm)].map(
    ([, name = "", drawing = ""]) => [name, JSON.parse(drawing)],
  );
}
