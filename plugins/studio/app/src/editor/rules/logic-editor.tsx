import type {
  Logic,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import { type MenuAction, ActionMenu } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import {
  type PathOption,
  listPathOptions,
  type PathUse,
  getScopeAt,
} from "../scope/path-options.js";
import { keysOf } from "../scope/path-text.js";
import { getSampleAt } from "../scope/samples.js";
import { PathSelect } from "../text/path-choice.js";
import { ExpressionInput, RuleValue } from "./value-input.js";
import {
  addPart,
  changePart,
  isGroup,
  type LogicPath,
  type Quantity,
  getQuantity,
  withQuantity,
  newRule,
  toList,
  withComparison,
  withField,
  withSource,
  getArity,
  getValueKind,
  type ValueKind,
  movePart,
  type Comparison,
  listComparisons,
  getComparison,
} from "./logic.js";

interface LogicEditorProps {
  logic: Logic;
  /** The component that the rules belong to. */
  owner: string;
  where: LogicUse;
  /** @param thread as in `Editor.change` */
  onChange: (logic: Logic, thread: string | null) => void;
}

/** Edits rules and groups of rules. */
export function LogicEditor({
  logic,
  owner,
  where,
  onChange,
}: LogicEditorProps) {
  const options = listRuleOptions(useEditor(), owner, where);
  const context = { logic, owner, where, options, onChange };
  return <LogicGroup context={context} group={logic} path={[]} />;
}

const quantities: readonly (readonly [Quantity, string])[] = [
  ["all", "All of these hold"],
  ["any", "Any of these holds"],
  ["none", "None of these holds"],
  ["notAll", "Not all of these hold"],
];

interface LogicGroupProps {
  context: LogicContext;
  group: Logic;
  /** Empty for the root. */
  path: LogicPath;
}

/** Rules and nested groups, and how they are combined. */
function LogicGroup({ context, group, path }: LogicGroupProps) {
  const number = formatRuleNumber(path);
  const isInner = path.length > 0;
  return (
    <div
      class="logic"
      role="group"
      aria-label={isInner ? `Group ${number}` : "Rules"}
    >
      {(isInner || group.rules.length > 1 || group.not) && (
        <div class="rule-head">
          <QuantityChoice context={context} group={group} path={path} />
          {isInner && <PartMenu context={context} path={path} noun="group" />}
        </div>
      )}
      {group.rules.map((part, index) => {
        const at = [...path, index];
        return isGroup(part) ? (
          <LogicGroup context={context} group={part} path={at} key={index} />
        ) : (
          <RuleLine context={context} rule={part} path={at} key={index} />
        );
      })}
      <AddButtons context={context} path={path} />
    </div>
  );
}

function QuantityChoice({ context, group, path }: LogicGroupProps) {
  const { logic, onChange } = context;
  const choose = (value: string) => {
    const found = quantities.find(([one]) => one === value);
    if (!found) return;
    const changed = withQuantity(group, found[0]);
    const whole = path.length > 0 ? changePart(logic, path, changed) : changed;
    onChange(whole, null);
  };
  return (
    <select
      class="input small"
      aria-label={path.length > 0 ? "How many of the group" : "How many"}
      value={getQuantity(group)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {quantities.map(([value, words]) => (
        <option value={value} key={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

function AddButtons({ context, path }: Omit<LogicGroupProps, "group">) {
  const { logic, options, onChange } = context;
  const field = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const rule = newRule(field);
  const group: Logic = { combinator: "or", rules: [rule] };
  const inner = path.length > 0 ? ` to group ${formatRuleNumber(path)}` : "";
  if (field === "")
    return (
      <p class="prop-hint">No fields yet. Add fields in the Data tab first.</p>
    );
  return (
    <div class="rule-adds">
      <Button
        kind="quiet"
        label={`Add a rule${inner}`}
        onPress={() => onChange(addPart(logic, path, rule), null)}
      >
        <Icon name="plus" size={14} />
        Rule
      </Button>
      <Button
        kind="quiet"
        label={`Add a group${inner}`}
        onPress={() => onChange(addPart(logic, path, group), null)}
      >
        <Icon name="plus" size={14} />
        Group
      </Button>
    </div>
  );
}

/** What the editors of all rules share. */
interface LogicContext {
  /** The root. */
  logic: Logic;
  owner: string;
  where: LogicUse;
  options: readonly PathOption[];
  onChange: (logic: Logic, thread: string | null) => void;
}

/** The number of a rule: "2", or in a group "2.1". */
function formatRuleNumber(path: readonly number[]): string {
  return path.map((index) => index + 1).join(".");
}

interface RuleLineProps {
  context: LogicContext;
  rule: Rule;
  path: LogicPath;
}

/** One rule: a field, a comparison and a value. */
function RuleLine({ context, rule, path }: RuleLineProps) {
  const editor = useEditor();
  const { logic, owner, where, options, onChange } = context;
  const number = formatRuleNumber(path);
  const kind = getKind(context, rule.field);
  const set = (next: Rule, thread: string | null = null) =>
    onChange(changePart(logic, path, next), thread);
  const examples = findExamples(editor, owner, where, rule.field);
  const own = getRuleActions(context, rule, set);
  const example = examples[0] ?? getDefaultValue(kind);
  return (
    <div class="rule" role="group" aria-label={`Rule ${number}`}>
      <div class="rule-head">
        <RuleField context={context} rule={rule} onChange={set} />
        <PartMenu context={context} path={path} noun="rule" own={own} />
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
  context: LogicContext;
  rule: Rule;
  onChange: (rule: Rule) => void;
}

/** The field of a rule, or its expression. */
function RuleField({ context, rule, onChange }: RuleFieldProps) {
  return isListed(context, rule.field) ? (
    <PathSelect
      label="Field"
      value={rule.field}
      options={context.options}
      onChange={(field) =>
        onChange(withField(rule, field, getKind(context, field)))
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

function getKind({ options }: LogicContext, field: string): ValueKind {
  return getValueKind(options.find(({ path }) => path === field));
}

/** The initial value of a number comparison. */
function getDefaultValue(kind: ValueKind): number | undefined {
  return kind === "number" ? 0 : undefined;
}

/** Whether it can be chosen from a list: a path, or the count of a list. */
function isListed({ options }: LogicContext, field: string): boolean {
  const isKnown = options.some(({ path }) => path === field);
  return isKnown || keysOf(field) !== null;
}

/** Menu actions that switch between values, fields and expressions. */
function getRuleActions(
  context: LogicContext,
  rule: Rule,
  set: (rule: Rule) => void,
): MenuAction[] {
  const { options } = context;
  const wanted = getArity(rule.operator);
  const isOther = rule.valueSource === "field";
  const first = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const isExpression = !isListed(context, rule.field);
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
    ...(canCompare && !isBooleanRule(rule) ? [compare] : []),
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

function isBooleanRule({ value }: Rule): boolean {
  return toList(value).some((one) => typeof one === "boolean");
}

interface PartMenuProps {
  context: LogicContext;
  path: LogicPath;
  noun: "rule" | "group";
  /** Additional actions. */
  own?: readonly MenuAction[];
}

/** The actions of a rule or group. */
function PartMenu({ context, path, noun, own = [] }: PartMenuProps) {
  const { logic, onChange } = context;
  const move = (by: 1 | -1) => onChange(movePart(logic, path, by), null);
  return (
    <ActionMenu
      label={`Actions for ${noun} ${formatRuleNumber(path)}`}
      isQuiet
      actions={[
        ...own,
        { words: "Move up", icon: "up", onPress: () => move(-1) },
        { words: "Move down", icon: "down", onPress: () => move(1) },
        {
          words: `Delete the ${noun}`,
          icon: "trash",
          isGrave: true,
          onPress: () => onChange(changePart(logic, path, null), null),
        },
      ]}
    />
  );
}

interface ComparisonSelectProps {
  rule: Rule;
  kind: ValueKind;
  onChoose: (chosen: Comparison) => void;
}

/** The comparison operator, common ones first. */
function ComparisonSelect({ rule, kind, onChoose }: ComparisonSelectProps) {
  const { usual, more } = listComparisons(kind, useEditor().design.operators);
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
      value={getComparison(rule)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {lines(usual)}
      <optgroup label="More">{lines(more)}</optgroup>
    </select>
  );
}

/** Whether rules apply to the elements of the component's collection or to the data around the component. */
type LogicUse = Extract<PathUse, "condition" | "filter">;

/** The fields that rules can test, and the counts of lists. */
function listRuleOptions(
  editor: Editor,
  owner: string,
  where: LogicUse,
): PathOption[] {
  return listPathOptions(editor, owner, where).flatMap((option) =>
    option.kind === "list" ? [option, countOption(option)] : [option],
  );
}

/** The fields that an element can be sorted and grouped by. */
export function listElementFields(editor: Editor, owner: string): PathOption[] {
  const around = listPathOptions(editor, owner, "collection");
  const outer = new Set(around.map(({ path }) => path));
  const odd = ["list", "record", "special"];
  return listPathOptions(editor, owner, "filter").filter(
    ({ path, kind }) => !outer.has(path) && !odd.includes(kind),
  );
}

const maxExamples = 30;

/** The distinct values of a field in the sample. */
function findExamples(
  editor: Editor,
  owner: string,
  where: LogicUse,
  field: string,
): (string | number)[] {
  const keys = keysOf(field);
  if (!keys) return [];
  const samples = {
    definition: editor.definition.value,
    facts: editor.facts.value,
  };
  const scope = getScopeAt(editor, owner, where);
  const isOwn = where === "filter" && scope?.ownerId === owner;
  const list = isOwn ? (keysOf(scope.collection.path) ?? []) : [];
  const all = isOwn
    ? getSampleAt(samples, scope.parent, [...list, ...keys])
    : undefined;
  const found: unknown = all ?? getSampleAt(samples, scope, keys);
  const values: unknown[] = Array.isArray(found) ? found : [found];
  const plain = values.filter(
    (one) => typeof one === "number" || typeof one === "string",
  );
  const different = new Set(plain.filter((one) => one !== ""));
  return [...different].slice(0, maxExamples);
}

function countOption({ path, label, from, sample }: PathOption): PathOption {
  return {
    path: `COUNT(${path})`,
    label: `How many ${label.toLowerCase()}`,
    kind: "Number",
    sample: sample.replace(/\D+/g, ""),
    from,
  };
}
