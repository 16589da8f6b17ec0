import { ACCEPTED } from "./accept-results.js";
import { ATTACK_RESULTS } from "./attack-results.js";
import { BATCH } from "./batch-results.js";
import { EDITOR } from "./editor-results.js";
import { HUB } from "./hub-results.js";
import { JOINED } from "./joined-results.js";
import { LISTS } from "./list-results.js";
import { LONG } from "./long-results.js";
import { MAILS } from "./mail-results.js";
import { MERGE } from "./merge-results.js";
import { checkNames, isWanted, options } from "./options.js";
import { PRINT } from "./print-results.js";
import { report } from "./report.js";
import { rounded } from "./measurement.js";
import type { BenchResult } from "./scenario.js";
import { SOAK } from "./soak-results.js";
import { REST, START } from "./start-results.js";
import { TOOLS } from "./tool-results.js";
import { WEBHOOKS } from "./webhook-results.js";

// Measures the service beside the limit and beside what others write, all with the same invoice. docs/explanation/performance.md
// tells what each name means.
//
//   npm run bench -- [--json] [--documents 600] [--rounds 3] [--html FILE] [--only NAME,NAME] [--peers]

const GROUPS = [
  PRINT,
  START,
  REST,
  BATCH,
  LONG,
  LISTS,
  HUB,
  ACCEPTED,
  JOINED,
  MAILS,
  WEBHOOKS,
  MERGE,
  TOOLS,
  EDITOR,
  ATTACK_RESULTS,
  SOAK,
];

/** What prints the same document as raw-cdp, and as raw-cdp-markup. */
const OF_THE_INVOICE =
  /^(raw-cdp|puppeteer|pdfmake|typst|service-sync|batch-1000-)/;
const OF_THE_MARKUP = /markup/;

/** What makes the same document in the same way. */
const PEERS: Readonly<Record<string, string>> = {
  "merge-invoice": "carbone",
  "http-html-c16": "jsreport-html-c16",
};

function withShares(results: readonly BenchResult[]): BenchResult[] {
  const find = (name: string) =>
    results.find((one) => one.name === name)?.docsPerSecond;
  return results.map((result) => {
    const { name, docsPerSecond } = result;
    const peer = find(PEERS[name] ?? "");
    if (peer && docsPerSecond)
      return { ...result, ofPeer: rounded(docsPerSecond / peer, 1) };
    const limit = OF_THE_MARKUP.test(name)
      ? find("raw-cdp-markup")
      : OF_THE_INVOICE.test(name) && find("raw-cdp");
    if (!limit || !docsPerSecond) return result;
    return { ...result, ofRawCdp: rounded(docsPerSecond / limit, 3) };
  });
}

checkNames(GROUPS.flatMap(({ names }) => names));
const measured: BenchResult[] = [];
for (const group of GROUPS)
  if (group.names.some(isWanted)) measured.push(...(await group.results()));
const results = withShares(measured);
const text = options.json ? JSON.stringify({ results }) : report(results);
process.stdout.write(`${text}\n`);
