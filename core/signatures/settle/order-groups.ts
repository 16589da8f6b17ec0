/** The places of a sequence as numbers from 0 without gaps; one that is left out counts as 0. */
export function orderGroups(orders: readonly (number | undefined)[]): number[] {
  const known = orders.map((order) => order ?? 0);
  const sorted = [...new Set(known)].toSorted((a, b) => a - b);
  return known.map((order) => sorted.indexOf(order));
}
