import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

/** A setting of the editor's layout that is stored in this browser. */
export function useStoredSetting<T extends string | number | boolean>(
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
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    // The hook above stored a value of the same type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return typeof stored === typeof first ? (stored as T) : first;
  } catch {
    return first;
  }
}
