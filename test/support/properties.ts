import { expect } from "chai";
import * as fc from "fast-check";

// Property and fuzz tests take fast-check from here. Each run of the suite checks the same cases; with
// PLATEN_TEST_RANDOM=1 it checks others, and a failure names the seed, which PLATEN_TEST_RANDOM=<seed> repeats.

const chosen = Number(process.env["PLATEN_TEST_RANDOM"] ?? 0);

if (chosen !== 1) fc.configureGlobal({ seed: chosen });

export { fc };

/**
 * Fails when `run` calls `accept` fewer than `floor` times. A test whose cases may be refused states here how many
 * must not be: else it passes when everything is refused.
 */
export function expectAccepted(
  floor: number,
  run: (accept: () => void) => void,
): void {
  let count = 0;
  run(() => {
    count += 1;
  });
  expect(count, "accepted cases").to.be.at.least(floor);
}
