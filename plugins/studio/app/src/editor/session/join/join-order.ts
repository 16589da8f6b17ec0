/** The same thing three times: as both began with it, as it is here, and as somebody else has left it. */
export interface Three<T> {
  base: T;
  mine: T;
  theirs: T;
}

type Names = readonly string[];

/**
 * The order of a list that two people have changed. Whoever moved things decides about those; what one of them put in
 * keeps its neighbour before it. The same, whoever joins.
 * @param members what the list holds in the end; each is in it once.
 */
export function joinOrder(
  { base, mine, theirs }: Three<Names>,
  members: ReadonlySet<string>,
): string[] {
  const sides = [mine, theirs].map((order) => new Set(order));
  const isShared = (name: string) =>
    members.has(name) && sides.every((side) => side.has(name));
  const spine = spineOf(
    [mine, theirs].map((one) => one.filter(isShared)),
    base,
  );
  const runs = [mine, theirs].map((order) => runsOf(order, spine, members));
  const joined = ["", ...spine].flatMap((name) => [
    ...(name === "" ? [] : [name]),
    ...runs
      .flatMap((one) => one.get(name) ?? [])
      .toSorted(byFirst)
      .flat(),
  ]);
  const placed = new Set(joined);
  return [...joined, ...[...members].filter((name) => !placed.has(name))];
}

/**
 * What both have, as the one ordered it who moved something; as the first of their names say, when both did, or both
 * brought the same from another list.
 */
function spineOf(orders: readonly Names[], base: Names): Names {
  const known = new Set(base);
  const began = base.filter((name) => orders[0]?.includes(name));
  const moved = orders.filter((order) =>
    order
      .filter((name) => known.has(name))
      .some((name, index) => name !== began[index]),
  );
  const [first = []] = (moved.length > 0 ? moved : orders).toSorted(byNames);
  return first;
}

/** What stands between the members of the spine, by the one before it; "" at the beginning. */
function runsOf(
  order: Names,
  spine: Names,
  members: ReadonlySet<string>,
): Map<string, string[][]> {
  const anchors = new Set(spine);
  const runs = new Map<string, string[][]>();
  let anchor = "";
  for (const name of order) {
    if (!members.has(name)) continue;
    if (anchors.has(name)) {
      anchor = name;
      continue;
    }
    const run = runs.get(anchor)?.[0];
    if (run) run.push(name);
    else runs.set(anchor, [[name]]);
  }
  return runs;
}

function byFirst([one = ""]: Names, [other = ""]: Names): number {
  return one < other ? -1 : 1;
}

function byNames(one: Names, other: Names): number {
  return one.join() < other.join() ? -1 : 1;
}
