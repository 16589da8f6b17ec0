import { Measurement } from "./measurement.js";
import { mergeScenarios } from "./merge-scenarios.js";
import { isWanted, options } from "./options.js";
import { report } from "./report.js";

// Measures what happens before a browser is asked: merging, compiling, keeping programs. `npm run bench` runs it in a
// process of its own; alone it is
//
//   node --import tsx bench/merge.ts [--json] [--only NAME,NAME]

const WARM_UP = 200;
const TIMES: Readonly<Record<string, number>> = {
  "compile-largest": 500,
};
const TIMES_OTHERWISE = 10_000;

const all = await mergeScenarios();
const results = [];
for (const scenario of all.filter(({ name }) => isWanted(name))) {
  await new Measurement(scenario).round(WARM_UP);
  const measurement = new Measurement(scenario);
  await measurement.round(TIMES[scenario.name] ?? TIMES_OTHERWISE);
  results.push(measurement.result());
}
const text = options.json ? JSON.stringify({ results }) : report(results);
process.stdout.write(`${text}\n`);
