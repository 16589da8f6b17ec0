/**
 * How long to wait before the next look at a request of this age, in milliseconds: a tenth of its age, so that what is
 * signed soon is seen soon and what lies for weeks costs little.
 */
export function pollWait(
  ageMs: number,
  [least, most]: readonly [least: number, most: number],
): number {
  return Math.round(Math.min(Math.max(ageMs / 10, least), most));
}
