import type {
  Json,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import type { PathOption } from "../scope/field-options.js";
import { keysOf } from "../scope/path-text.js";
import { PathChoice } from "../text/path-choice.js";
import { ExpressionInput } from "./expression-input.js";
import { arity } from "./rule-operators.js";
import { asList } from "./rule-steps.js";
import { TokenInput } from "./token-input.js";
import { ValueInput } from "./value-input.js";
import type { ValueKind } from "./value-kind.js";

interface RuleValueProps {
  rule: Rule;
  kind: ValueKind;
  options: readonly PathOption[];
  /** What the sample has in that field. */
  examples: readonly (string | number)[];
  onChange: (value: Json) => void;
}

const today = "TODAY()";

/** With what a field is compared. */
export function RuleValue(props: RuleValueProps) {
  const { rule, kind, examples, onChange } = props;
  const { operator, value, valueSource } = rule;
  const wanted = arity(operator);
  if (wanted === "none" || typeof value === "boolean") return null;
  if (valueSource === "field") return <OtherField {...props} />;
  if (wanted === "many")
    return (
      <TokenInput
        kind={kind}
        values={asList(value)}
        examples={examples}
        onChange={onChange}
      />
    );
  if (wanted === "one")
    return (
      <ValueInput
        label="Value"
        kind={kind}
        value={value}
        examples={examples}
        onChange={onChange}
      />
    );
  return <Range {...props} />;
}

/** Two ends, both of which count. */
function Range({ rule, kind, examples, onChange }: RuleValueProps) {
  const [low = "", high = ""] = asList(rule.value);
  return (
    <div class="rule-range">
      <ValueInput
        label="From"
        kind={kind}
        value={low}
        examples={examples}
        onChange={(next) => onChange([next, high])}
      />
      <span>and</span>
      <ValueInput
        label="To"
        kind={kind}
        value={high}
        examples={examples}
        onChange={(next) => onChange([low, next])}
      />
    </div>
  );
}

function OtherField({ rule, kind, options, onChange }: RuleValueProps) {
  const source = typeof rule.value === "string" ? rule.value : "";
  const isKnown = source === "" || source === today || keysOf(source) !== null;
  const isListed = options.some(({ path }) => path === source);
  return isKnown || isListed ? (
    <PathChoice
      label="Other field"
      value={source}
      options={options}
      others={kind === "date" || source === today ? [[today, "Today"]] : []}
      onChange={onChange}
    />
  ) : (
    <ExpressionInput label="Other formula" value={source} onChange={onChange} />
  );
}
