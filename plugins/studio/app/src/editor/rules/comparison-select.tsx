import type { Rule } from "../../../../../../core/plugin-api/definition.js";
import { useEditor } from "../model/editor-context.js";
import { type Comparison, comparisonsOf } from "./rule-operators.js";
import { comparisonOf } from "./rule-steps.js";
import type { ValueKind } from "./value-kind.js";

interface ComparisonSelectProps {
  rule: Rule;
  kind: ValueKind;
  onChoose: (chosen: Comparison) => void;
}

/** How a field is compared, the usual ways first. */
export function ComparisonSelect({
  rule,
  kind,
  onChoose,
}: ComparisonSelectProps) {
  const { usual, more } = comparisonsOf(kind, useEditor().design.operators);
  const choose = (value: string) => {
    const found = [...usual, ...more].find(([one]) => one === value);
    if (found) onChoose(found[0]);
  };
  const lines = (choices: typeof usual) =>
    choices.map(([one, words]) => (
      <option value={one} key={one}>
        {words}
      </option>
    ));
  return (
    <select
      class="input small"
      aria-label="Comparison"
      value={comparisonOf(rule)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {lines(usual)}
      <optgroup label="More">{lines(more)}</optgroup>
    </select>
  );
}
