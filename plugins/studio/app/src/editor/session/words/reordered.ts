/** Which names changed their place among those that both lists have: as few as explain it. */
export function reordered(
  before: readonly string[],
  after: readonly string[],
): string[] {
  const places = new Map(before.map((name, index) => [name, index]));
  const shared = after.filter((name) => places.has(name));
  const placeOf = (name: string) => places.get(name) ?? -1;
  const kept = new Set(longestRise(shared, placeOf));
  return shared.filter((name) => !kept.has(name));
}

/** The longest sequence whose places rise. */
function longestRise(
  names: readonly string[],
  placeOf: (name: string) => number,
): string[] {
  /** The last of the best sequence of each length, and what came before each name. */
  const ends: string[] = [];
  const before = new Map<string, string | undefined>();
  for (const name of names) {
    const at = ends.findIndex((end) => placeOf(end) > placeOf(name));
    const length = at < 0 ? ends.length : at;
    before.set(name, ends[length - 1]);
    ends[length] = name;
  }
  const rise: string[] = [];
  for (let name = ends.at(-1); name !== undefined; name = before.get(name))
    rise.push(name);
  return rise;
}
