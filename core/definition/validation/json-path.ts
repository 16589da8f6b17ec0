/** Writes a path as JSONPath does: `$.components[0].text`, `$.styles["my style"]`. */
export function jsonPath(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => path + pathStep(key), "$");
}

/** One step of it: `.text`, `[0]`, `["font-size"]`. */
export function pathStep(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
}

/** The value that a path leads to, read by own properties; undefined when it leads nowhere. */
export function valueAt(root: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null) return undefined;
    return Object.getOwnPropertyDescriptor(value, key)?.value as unknown;
  }, root);
}

/** The keys of a path that `jsonPath` wrote. */
export function pathKeys(path: string): (string | number)[] {
  const steps = path.matchAll(
    /\.(?<name>[A-Za-z_$][\w$]*)|\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\]/g,
  );
  return Array.from(steps, ({ groups = {} }) => {
    const { name, index, quoted = '""' } = groups;
    if (index !== undefined) return Number(index);
    return name ?? String(JSON.parse(quoted));
  });
}
