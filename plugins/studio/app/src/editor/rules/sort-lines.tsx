import type { ComponentChildren } from "preact";
import type { SortRule } from "../../../../../../core/plugin-api/definition.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { moved } from "./logic-steps.js";

interface SortLinesProps {
  rules: readonly SortRule[];
  /** Undefined where there is nothing to order by. */
  make: (() => SortRule) | undefined;
  draw: (
    rule: SortRule,
    index: number,
    change: (rule: SortRule) => void,
  ) => ComponentChildren;
  onChange: (rules: SortRule[]) => void;
}

/** Rules of which the earlier wins. */
export function SortLines({ rules, make, draw, onChange }: SortLinesProps) {
  const change = (index: number) => (rule: SortRule) =>
    onChange(rules.with(index, rule));
  return (
    <>
      {rules.map((rule, index) => (
        <div class="rule-sort" key={index}>
          {draw(rule, index, change(index))}
          <span class="rule-sort-ends">
            {index > 0 && (
              <Button
                kind="quiet"
                isIcon
                label={`Move order ${index + 1} up`}
                onPress={() => onChange(moved(rules, index, -1))}
              >
                <Icon name="up" size={14} />
              </Button>
            )}
            <Button
              kind="quiet"
              isIcon
              label={`Take order ${index + 1} away`}
              onPress={() => onChange(rules.filter((_one, at) => at !== index))}
            >
              <Icon name="close" size={14} />
            </Button>
          </span>
        </div>
      ))}
      {make && (
        <AddSort
          words={rules.length === 0 ? "Put in order" : "Then by"}
          onPress={() => onChange([...rules, make()])}
        />
      )}
    </>
  );
}

function AddSort({ words, onPress }: { words: string; onPress: () => void }) {
  return (
    <div class="rule-adds">
      <Button kind="quiet" onPress={onPress}>
        <Icon name="plus" size={14} />
        {words}
      </Button>
    </div>
  );
}
