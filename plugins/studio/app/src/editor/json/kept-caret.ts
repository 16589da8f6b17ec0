import { useLayoutEffect } from "preact/hooks";

/** Where a place in a text is after the text was changed elsewhere; in what was replaced, at its beginning. */
function placeAfter(before: string, after: string, at: number): number {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  if (at <= head) return at;
  let tail = 0;
  while (
    tail < most - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const isBehind = at >= before.length - tail;
  return isBehind ? at + after.length - before.length : head;
}

/** Keeps the caret and the scroll of a field where they were, when its text changes by another hand than the one that types in it. */
export function useKeptCaret(
  field: { current: HTMLTextAreaElement | null },
  text: string,
): void {
  const { current } = field;
  const before = current && {
    text: current.value,
    from: current.selectionStart,
    to: current.selectionEnd,
    top: current.scrollTop,
  };
  useLayoutEffect(() => {
    // What was typed is in the field already.
    if (!current || !before || before.text === text) return;
    const from = placeAfter(before.text, text, before.from);
    const to = placeAfter(before.text, text, before.to);
    current.setSelectionRange(from, to);
    current.scrollTop = before.top;
  }, [text]);
}
