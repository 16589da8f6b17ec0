export type Props = Readonly<Record<string, unknown>>;

/** A JSON object, and no list. */
export function isObject(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON; a property that is undefined is none. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length &&
      one.every((value, index) => sameJson(value, other[index]))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(one[name], other[name]));
}
