import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

/** A choice of how the editor looks, which this browser remembers. */
export function useKept<T extends string | number | boolean>(
  name: string,
  first: T,
): Signal<T> {
  const key = `platen-editor:${name}`;
  const choice = useMemo(() => signal(read(key, first)), [key]);
  useEffect(
    () =>
      choice.subscribe((value) => {
        localStorage.setItem(key, JSON.stringify(value));
      }),
    [choice, key],
  );
  return choice;
}

function read<T>(key: string, first: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    // A value of the same type was written by the hook above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return typeof kept === typeof first ? (kept as T) : first;
  } catch {
    return first;
  }
}
