import { SeededRandom } from "./seeded-random.js";

/** What happens to a process or to the database during a run. */
export type FaultKind = "kill" | "stall" | "terminate" | "outage";

export interface Fault {
  kind: FaultKind;
  /** Since the previous one. */
  afterMs: number;
  /** Selects one of the processes that are ready then, modulo their number. */
  target: number;
  /** Whether a process that is still starting may be the target. */
  isEarly: boolean;
  /** How long a stall or an outage lasts, as a part of the longest, from 0 to 1. */
  length: number;
  /** The clock skew of the process that is started in its place. */
  clockSkewMs: number;
}

export interface FaultPlan {
  seed: number;
  kills: number;
  /** The mean time between two faults. */
  intervalMs: number;
}

const hourMs = 3_600_000;
/** Percentages of the faults that are not kills. */
const stalls = 12;
const terminations = 10;
const outages = 6;

/** Plans this many kills with other faults among them; the same for the same seed. */
export function planFaults({ seed, kills, intervalMs }: FaultPlan): Fault[] {
  const random = new SeededRandom(seed);
  const faults: Fault[] = [];
  for (let killed = 0; killed < kills;) {
    const fault = nextFault(random, intervalMs);
    faults.push(fault);
    if (fault.kind === "kill") killed += 1;
  }
  return faults;
}

function nextFault(random: SeededRandom, intervalMs: number): Fault {
  return {
    kind: pickKind(random.between(0, 99)),
    afterMs: Math.round(2 * intervalMs * random.next()),
    target: random.between(0, 999),
    isEarly: random.chance(0.4),
    length: random.next(),
    clockSkewMs: random.pick([0, 0, 0, hourMs, -hourMs]),
  };
}

function pickKind(percent: number): FaultKind {
  if (percent < stalls) return "stall";
  if (percent < stalls + terminations) return "terminate";
  return percent < stalls + terminations + outages ? "outage" : "kill";
}
