import { countEach } from "./checks.js";
import type { ChaosResult } from "./run-chaos.js";

const maxExamples = 5;

/** A table of the faults and their outcome, with examples of each kind of loss. */
export function report(name: string, result: ChaosResult): string {
  const { injected, deaths, documents, losses } = result;
  const lines: [string, string | number][] = [
    ["run", name],
    ["seconds", Math.round(result.seconds)],
    ["kills (SIGKILL)", injected.kill],
    ["stalls (SIGSTOP, SIGCONT)", injected.stall],
    ["clean stops (SIGTERM)", injected.terminate],
    ["database outages", injected.outage],
    ["unexpected exits", listed(deaths)],
    ["batches accepted", result.batches],
    ["documents", listed(documents)],
    [
      "numbers of the sequence",
      `${result.numbers.given} given, ${result.numbers.openAtEnd} of them only after the end`,
    ],
    ["webhook messages", result.messages],
    ["answered requests of attacks", result.attacks ?? "none were sent"],
    ["losses", losses.length],
  ];
  const width = Math.max(...lines.map(([title]) => title.length));
  const table = lines.map(
    ([title, value]) => `${title.padEnd(width)}  ${value}`,
  );
  return [...table, ...examples(losses)].join("\n");
}

function examples(losses: ChaosResult["losses"]): string[] {
  const kinds = countEach(losses.map(({ kind }) => kind));
  return [...kinds].flatMap(([kind, count]) => [
    `  ${kind}: ${count}`,
    ...losses
      .filter((loss) => loss.kind === kind)
      .slice(0, maxExamples)
      .map(({ what }) => `    ${what}`),
  ]);
}

function listed(counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([name, count]) => `${count} ${name}`);
  return parts.length > 0 ? parts.join(", ") : "none";
}
