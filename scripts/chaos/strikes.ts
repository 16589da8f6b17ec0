import { SeededRandom } from "./seeded-random.js";

/** What happens to a process, or to the database, at some time of a run. */
export type StrikeKind = "kill" | "stall" | "terminate" | "outage";

export interface Strike {
  kind: StrikeKind;
  /** Since the one before it. */
  afterMs: number;
  /** Which of the processes that are ready then: taken modulo their number. */
  target: number;
  /** One that is still starting may be the target too. */
  isEarly: boolean;
  /** How long a stall or an outage lasts, as a part of the longest, from 0 to 1. */
  length: number;
  /** How wrong the clock of the process is that is started in its place. */
  clockSkewMs: number;
}

export interface StrikePlan {
  seed: number;
  kills: number;
  /** The mean time between two strikes. */
  paceMs: number;
}

const hourMs = 3_600_000;
/** So many strikes in a hundred are no kills. */
const stalls = 12;
const terminations = 10;
const outages = 6;

/** As many kills as asked for, with other strikes among them; the same for the same seed. */
export function planStrikes({ seed, kills, paceMs }: StrikePlan): Strike[] {
  const random = new SeededRandom(seed);
  const strikes: Strike[] = [];
  for (let killed = 0; killed < kills;) {
    const strike = nextStrike(random, paceMs);
    strikes.push(strike);
    if (strike.kind === "kill") killed += 1;
  }
  return strikes;
}

function nextStrike(random: SeededRandom, paceMs: number): Strike {
  return {
    kind: kindOf(random.between(0, 99)),
    afterMs: Math.round(2 * paceMs * random.next()),
    target: random.between(0, 999),
    isEarly: random.isLucky(0.4),
    length: random.next(),
    clockSkewMs: random.pick([0, 0, 0, hourMs, -hourMs]),
  };
}

function kindOf(percent: number): StrikeKind {
  if (percent < stalls) return "stall";
  if (percent < stalls + terminations) return "terminate";
  return percent < stalls + terminations + outages ? "outage" : "kill";
}
