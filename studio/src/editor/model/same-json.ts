export type Props = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object and not an array. */
export function isObject(value: unknown): value is Props {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON; undefined properties are ignored. */
export function sameJson(json: unknown, other: unknown): boolean {
  if (json === other) return true;
  if (Array.isArray(json) && Array.isArray(other))
    return (
      json.length === other.length &&
      json.every((value, index) => sameJson(value, other[index]))
    );
  if (!isObject(json) || !isObject(other)) return false;
  const names = new Set([...Object.keys(json), ...Object.keys(other)]);
  return [...names].every((name) => sameJson(json[name], other[name]));
}
