import { useMemo } from "preact/hooks";

interface LineNumbersProps {
  text: string;
  /** How far the text beside it is scrolled, in px. */
  scrolled: number;
}

/** Beside the text, in step with it. */
export function LineNumbers({ text, scrolled }: LineNumbersProps) {
  const numbers = useMemo(
    () =>
      text
        .split("\n")
        .map((_, index) => index + 1)
        .join("\n"),
    [text],
  );
  return (
    <div class="line-numbers" aria-hidden="true">
      <pre style={{ transform: `translateY(-${scrolled}px)` }}>{numbers}</pre>
    </div>
  );
}
