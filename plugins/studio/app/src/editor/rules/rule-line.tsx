import type { Rule } from "../../../../../../core/plugin-api/definition.js";
import type { MenuAction } from "../../ui/action-menu.js";
import { useEditor } from "../model/editor-context.js";
import { keysOf } from "../scope/path-text.js";
import { PathChoice } from "../text/path-choice.js";
import { ComparisonSelect } from "./comparison-select.js";
import { ExpressionInput } from "./expression-input.js";
import { type LogicDesk, numberOf } from "./logic-desk.js";
import { changePart, type LogicPath } from "./logic-steps.js";
import { PartMenu } from "./part-menu.js";
import { examplesOf } from "./rule-options.js";
import { asList, withComparison, withField, withSource } from "./rule-steps.js";
import { arity } from "./rule-operators.js";
import { RuleValue } from "./rule-value.js";
import { kindOfOption, type ValueKind } from "./value-kind.js";

interface RuleLineProps {
  desk: LogicDesk;
  rule: Rule;
  path: LogicPath;
}

/** One comparison: a field, how, and with what. */
export function RuleLine({ desk, rule, path }: RuleLineProps) {
  const editor = useEditor();
  const { logic, owner, where, options, onChange } = desk;
  const number = numberOf(path);
  const kind = kindAt(desk, rule.field);
  const set = (next: Rule, thread: string | null = null) =>
    onChange(changePart(logic, path, next), thread);
  const examples = examplesOf(editor, owner, where, rule.field);
  const own = ownActions(desk, rule, set);
  const example = examples[0] ?? zeroOf(kind);
  return (
    <div class="rule" role="group" aria-label={`Rule ${number}`}>
      <div class="rule-head">
        <RuleField desk={desk} rule={rule} onChange={set} />
        <PartMenu desk={desk} path={path} noun="rule" own={own} />
      </div>
      <ComparisonSelect
        rule={rule}
        kind={kind}
        onChoose={(one) => set(withComparison(rule, one, kind, example))}
      />
      <RuleValue
        {...{ rule, kind, options, examples }}
        onChange={(value) => set({ ...rule, value }, `rule:${owner}:${number}`)}
      />
    </div>
  );
}

interface RuleFieldProps {
  desk: LogicDesk;
  rule: Rule;
  onChange: (rule: Rule) => void;
}

/** What a rule asks about. */
function RuleField({ desk, rule, onChange }: RuleFieldProps) {
  return isListed(desk, rule.field) ? (
    <PathChoice
      label="Field"
      value={rule.field}
      options={desk.options}
      onChange={(field) =>
        onChange(withField(rule, field, kindAt(desk, field)))
      }
    />
  ) : (
    <ExpressionInput
      label="Formula"
      value={rule.field}
      onChange={(field) => onChange({ ...rule, field })}
    />
  );
}

function kindAt({ options }: LogicDesk, field: string): ValueKind {
  return kindOfOption(options.find(({ path }) => path === field));
}

/** Numbers begin somewhere, so that there is something to compare with. */
function zeroOf(kind: ValueKind): number | undefined {
  return kind === "number" ? 0 : undefined;
}

/** Whether the builder can show it: a field, declared or not, or how many there are of one. */
function isListed({ options }: LogicDesk, field: string): boolean {
  const isKnown = options.some(({ path }) => path === field);
  return isKnown || keysOf(field) !== null;
}

/** With what it compares, and what it asks about. */
function ownActions(
  desk: LogicDesk,
  rule: Rule,
  set: (rule: Rule) => void,
): MenuAction[] {
  const { options } = desk;
  const wanted = arity(rule.operator);
  const isOther = rule.valueSource === "field";
  const first = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const isExpression = !isListed(desk, rule.field);
  const compare: MenuAction = isOther
    ? {
        words: "Compare with a value",
        icon: "edit",
        onPress: () => set(withSource(rule, null)),
      }
    : {
        words: "Compare with a field",
        icon: "link",
        onPress: () => set(withSource(rule, first)),
      };
  const canCompare = isOther || wanted === "one" || wanted === "many";
  return [
    ...(canCompare && !isTruth(rule) ? [compare] : []),
    ...(isExpression
      ? [
          {
            words: "Choose a field",
            icon: "list" as const,
            onPress: () => set({ ...rule, field: first }),
          },
        ]
      : []),
  ];
}

function isTruth({ value }: Rule): boolean {
  return asList(value).some((one) => typeof one === "boolean");
}
