import { parseArgs } from "node:util";

/** What the command line asks for. */
export const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    documents: { type: "string", default: "600" },
    rounds: { type: "string", default: "3" },
    html: { type: "string" },
    only: { type: "string" },
    peers: { type: "boolean", default: false },
  },
});

/** Measured only when they are asked for, because their packages are large. */
const LARGE_PEERS = ["carbone", "jsreport-html-c16", "typst"];

/** Takes half an hour. */
const LONG = "soak-100000";

/** What `--peers` measures: other programs, and what they are compared with. */
const COMPARED = [
  ...LARGE_PEERS,
  "pdfmake",
  "puppeteer-new-page",
  "merge-invoice",
  "http-html-c16",
  "raw-cdp",
  "service-sync-c4",
];

/** `--only` names the scenarios to measure, and `--peers` those of the comparison; without them, it is Platen's. */
export function isWanted(name: string): boolean {
  if (options.only) return options.only.split(",").includes(name);
  if (options.peers) return COMPARED.includes(name);
  return name !== LONG && !LARGE_PEERS.includes(name);
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
