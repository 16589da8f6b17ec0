import { parseArgs } from "node:util";

/** What the command line asks for. */
export const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    documents: { type: "string", default: "600" },
    rounds: { type: "string", default: "3" },
    html: { type: "string" },
    only: { type: "string" },
  },
});

/** `--only` names the scenarios to measure; without it, all are. */
export function isWanted(name: string): boolean {
  return !options.only || options.only.split(",").includes(name);
}

/** @throws Error for a name in `--only` that no scenario has. */
export function checkNames(known: readonly string[]): void {
  const names = options.only?.split(",") ?? [];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(
      `There is no scenario ${unknown.join(", ")}. There are: ${known.join(", ")}.`,
    );
}
