import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface RulePartProps {
  title: string;
  /** What it makes of the sample. */
  fact?: string | undefined;
  children: ComponentChildren;
}

/** One of several things that are said of a list. */
export function RulePart({ title, fact, children }: RulePartProps) {
  const id = useId();
  return (
    <section class="rule-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {fact !== undefined && (
        <p class="rule-fact" role="status">
          {fact}
        </p>
      )}
    </section>
  );
}
