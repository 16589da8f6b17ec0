import type { Logic, Rule } from "../../../../core/plugin-api/definition.js";
import { type MenuAction, ActionMenu } from "../../ui/action-menu.js";
import { AddButton } from "../../ui/icon-button.js";
import { Select } from "../../ui/select.js";
import { useEditor } from "../model/editor-context.js";
import type { Editor } from "../model/editor.js";
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
import { t } from "../../messages/index.js";

interface LogicEditorProps {
  logic: Logic;
  /** The component that the rules belong to. */
  owner: string;
  where: LogicUse;
  /** @param thread as in `Editor.change` */
  onChange: (logic: Logic, thread: string | null) => void;
}

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
  ["all", t("rules.allOfTheseHold")],
  ["any", t("rules.anyOfTheseHolds")],
  ["none", t("rules.noneOfTheseHolds")],
  ["notAll", t("rules.notAllOfTheseHold")],
];

interface LogicGroupProps {
  context: LogicContext;
  group: Logic;
  /** Empty for the root. */
  path: LogicPath;
}

function LogicGroup({ context, group, path }: LogicGroupProps) {
  const number = formatRuleNumber(path);
  const isInner = path.length > 0;
  const setQuantity = (quantity: Quantity) => {
    const { logic, onChange } = context;
    const changed = withQuantity(group, quantity);
    onChange(isInner ? changePart(logic, path, changed) : changed, null);
  };
  return (
    <div
      class="logic"
      role="group"
      aria-label={
        isInner ? t("rules.groupNumber", { number }) : t("common.rules")
      }
    >
      {(isInner || group.rules.length > 1 || group.not) && (
        <div class="rule-head">
          <Select
            label={isInner ? t("rules.matchInGroup") : t("rules.match")}
            value={getQuantity(group)}
            options={quantities}
            onChange={(quantity) => quantity && setQuantity(quantity)}
          />
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

function AddButtons({ context, path }: Omit<LogicGroupProps, "group">) {
  const { logic, options, onChange } = context;
  const field = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const rule = newRule(field);
  const group: Logic = { combinator: "or", rules: [rule] };
  const inner = path.length > 0 ? { group: formatRuleNumber(path) } : null;
  if (field === "") return <p class="prop-hint">{t("rules.noFieldsYet")}</p>;
  return (
    <div class="rule-adds">
      <AddButton
        words={t("rules.rule")}
        label={inner ? t("rules.addRuleToGroup", inner) : t("rules.addRule")}
        onPress={() => onChange(addPart(logic, path, rule), null)}
      />
      <AddButton
        words={t("rules.group")}
        label={inner ? t("rules.addGroupToGroup", inner) : t("rules.addGroup")}
        onPress={() => onChange(addPart(logic, path, group), null)}
      />
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

function RuleLine({ context, rule, path }: RuleLineProps) {
  const editor = useEditor();
  const { logic, owner, where, options, onChange } = context;
  const number = formatRuleNumber(path);
  const kind = getKind(context, rule.field);
  const set = (next: Rule, thread: string | null = null) =>
    onChange(changePart(logic, path, next), thread);
  const examples = findExamples(editor, owner, where, rule.field);
  const ruleActions = getRuleActions(context, rule, set);
  const example = examples[0] ?? (kind === "number" ? 0 : undefined);
  return (
    <div
      class="rule"
      role="group"
      aria-label={t("rules.ruleNumber", { number })}
    >
      <div class="rule-head">
        {isListed(context, rule.field) ? (
          <PathSelect
            label={t("common.field")}
            value={rule.field}
            options={options}
            onChange={(field) =>
              set(withField(rule, field, getKind(context, field)))
            }
          />
        ) : (
          <ExpressionInput
            label={t("rules.formula")}
            value={rule.field}
            onChange={(field) => set({ ...rule, field })}
          />
        )}
        <PartMenu
          context={context}
          path={path}
          noun="rule"
          ownActions={ruleActions}
        />
      </div>
      <ComparisonSelect
        rule={rule}
        kind={kind}
        onChoose={(comparison) =>
          set(withComparison(rule, comparison, kind, example))
        }
      />
      <RuleValue
        {...{ rule, kind, options, examples }}
        onChange={(value) => set({ ...rule, value }, `rule:${owner}:${number}`)}
      />
    </div>
  );
}

function getKind({ options }: LogicContext, field: string): ValueKind {
  return getValueKind(options.find(({ path }) => path === field));
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
        words: t("rules.compareWithValue"),
        icon: "edit",
        onPress: () => set(withSource(rule, null)),
      }
    : {
        words: t("rules.compareWithField"),
        icon: "link",
        onPress: () => set(withSource(rule, first)),
      };
  const isBoolean = toList(rule.value).some(
    (value) => typeof value === "boolean",
  );
  const canCompare =
    !isBoolean && (isOther || wanted === "one" || wanted === "many");
  return [
    ...(canCompare ? [compare] : []),
    ...(isExpression
      ? [
          {
            words: t("rules.chooseField"),
            icon: "list" as const,
            onPress: () => set({ ...rule, field: first }),
          },
        ]
      : []),
  ];
}

interface PartMenuProps {
  context: LogicContext;
  path: LogicPath;
  noun: "rule" | "group";
  /** Additional actions. */
  ownActions?: readonly MenuAction[];
}

function PartMenu({ context, path, noun, ownActions = [] }: PartMenuProps) {
  const { logic, onChange } = context;
  const number = formatRuleNumber(path);
  const move = (by: 1 | -1) => onChange(movePart(logic, path, by), null);
  return (
    <ActionMenu
      label={
        noun === "rule"
          ? t("rules.actionsForRule", { number })
          : t("rules.actionsForGroup", { number })
      }
      isQuiet
      actions={[
        ...ownActions,
        { words: t("common.moveUp"), icon: "up", onPress: () => move(-1) },
        { words: t("common.moveDown"), icon: "down", onPress: () => move(1) },
        {
          words:
            noun === "rule" ? t("rules.deleteRule") : t("rules.deleteGroup"),
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
    const choice = [...usual, ...more].find(
      ([comparison]) => comparison === value,
    );
    if (choice) onChoose(choice[0]);
  };
  const lines = (choices: typeof usual) =>
    choices.map(([comparison, words]) => (
      <option value={comparison} key={comparison}>
        {words}
      </option>
    ));
  return (
    <select
      class="input small"
      aria-label={t("rules.comparison")}
      value={getComparison(rule)}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {lines(usual)}
      <optgroup label={t("common.more")}>{lines(more)}</optgroup>
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
  return listPathOptions(editor, owner, where).flatMap((option) => {
    const { kind, path, label, from, sample } = option;
    if (kind !== "list") return [option];
    const count: PathOption = {
      path: t("rules.countPath", { path }),
      label: t("rules.howManyLabel", { label }),
      kind: "Number",
      sample: sample.replace(/\D+/g, ""),
      from,
    };
    return [option, count];
  });
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
    definition: editor.sampled.value,
    facts: editor.facts.value,
  };
  const scope = getScopeAt(editor, owner, where);
  const isOwn = where === "filter" && scope?.ownerId === owner;
  const list = isOwn ? (keysOf(scope.collection.path) ?? []) : [];
  const all = isOwn
    ? getSampleAt(samples, scope.parent, [...list, ...keys])
    : undefined;
  const sampleValue: unknown = all ?? getSampleAt(samples, scope, keys);
  const values: unknown[] = Array.isArray(sampleValue)
    ? sampleValue
    : [sampleValue];
  const plain = values.filter(
    (value) => typeof value === "number" || typeof value === "string",
  );
  const different = new Set(plain.filter((value) => value !== ""));
  return [...different].slice(0, maxExamples);
}
