import { useState } from "preact/hooks";

/**
 * The letters in a field, while the value is what they made of it; null once it was changed elsewhere, as by undo. No
 * letter waits for a drawing: one that follows at once finds those before it.
 * @returns them, and what takes them, with the value that they make
 */
export function useTyped<T>(
  value: T,
): [typed: string | null, take: (text: string | null, made: T) => void] {
  const [state, setState] = useState<{ text: string; made: T } | null>(null);
  const take = (text: string | null, made: T) =>
    setState(text === null ? null : { text, made });
  return [state && state.made === value ? state.text : null, take];
}
