import type {
  Logic,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import { type MenuAction, ActionMenu } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { useEditor, type Editor } from "../model/editor.js";
import {
  type PathOption,
  pathOptions,
  type PathUse,
  scopesAt,
} from "../scope/path-options.js";
import { keysOf } from "../scope/path-text.js";
import { sampleAt } from "../scope/samples.js";
import { PathChoice } from "../text/path-choice.js";
import { ExpressionInput, RuleValue } from "./value-input.js";
import {
  addPart,
  changePart,
  isGroup,
  type LogicPath,
  type Quantity,
  quantityOf,
  withQuantity,
  newRule,
  asList,
  withComparison,
  withField,
  withSource,
  arity,
  kindOfOption,
  type ValueKind,
  movePart,
  type Comparison,
  comparisonsOf,
  comparisonOf,
} from "./logic.js";

interface LogicEditorProps {
  logic: Logic;
  /** The component whose fields are asked about. */
  owner: string;
  where: LogicUse;
  /** @param thread as in `Editor.change`, while something is typed */
  onChange: (logic: Logic, thread: string | null) => void;
}

/** Rules, in groups, by fields, comparisons and values that are chosen. */
export function LogicEditor({
  logic,
  owner,
  where,
  onChange,
}: LogicEditorProps) {
  const options = ruleOptions(useEditor(), owner, where);
  const desk = { logic, owner, where, options, onChange };
  return <LogicGroup desk={desk} group={logic} path={[]} />;
}

const quantities: readonly (readonly [Quantity, string])[] = [
  ["all", "All of these hold"],
  ["any", "Any of these holds"],
  ["none", "None of these holds"],
  ["notAll", "Not all of these hold"],
];

interface LogicGroupProps {
  desk: LogicDesk;
  group: Logic;
  /** Empty for the outermost. */
  path: LogicPath;
}

/** Rules that are taken together, and groups of them. */
function LogicGroup({ desk, group, path }: LogicGroupProps) {
  const number = numberOf(path);
  const isInner = path.length > 0;
  return (
    <div
      class="logic"
      role="group"
      aria-label={isInner ? `Group ${number}` : "Rules"}
    >
      {(isInner || group.rules.length > 1 || group.not) && (
        <div class="rule-head">
          <QuantityChoice desk={desk} group={group} path={path} />
          {isInner && <PartMenu desk={desk} path={path} noun="group" />}
        </div>
      )}
      {group.rules.map((part, index) => {
        const at = [...path, index];
        return isGroup(part) ? (
          <LogicGroup desk={desk} group={part} path={at} key={index} />
        ) : (
          <RuleLine desk={desk} rule={part} path={at} key={index} />
        );
      })}
      <AddButtons desk={desk} path={path} />
    </div>
  );
}

function QuantityChoice({ desk, group, path }: LogicGroupProps) {
  const { logic, onChange } = desk;
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
      value={quantityOf(group)}
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

function AddButtons({ desk, path }: Omit<LogicGroupProps, "group">) {
  const { logic, options, onChange } = desk;
  const field = options.find(({ kind }) => kind !== "record")?.path ?? "";
  const rule = newRule(field);
  const group: Logic = { combinator: "or", rules: [rule] };
  const inner = path.length > 0 ? ` to group ${numberOf(path)}` : "";
  if (field === "")
    return (
      <p class="prop-hint">
        No field is known here. Add fields in the Data tab first.
      </p>
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

/** What every rule of a logic is changed with. */
interface LogicDesk {
  /** All of it. */
  logic: Logic;
  owner: string;
  where: LogicUse;
  options: readonly PathOption[];
  onChange: (logic: Logic, thread: string | null) => void;
}

/** What a person calls a rule by: "Rule 2", and in a group "Rule 2.1". */
function numberOf(path: readonly number[]): string {
  return path.map((index) => index + 1).join(".");
}

interface RuleLineProps {
  desk: LogicDesk;
  rule: Rule;
  path: LogicPath;
}

/** One comparison: a field, how, and with what. */
function RuleLine({ desk, rule, path }: RuleLineProps) {
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

interface PartMenuProps {
  desk: LogicDesk;
  path: LogicPath;
  noun: "rule" | "group";
  /** What else can be done with it. */
  own?: readonly MenuAction[];
}

/** What can be done with a rule or a group as a whole. */
function PartMenu({ desk, path, noun, own = [] }: PartMenuProps) {
  const { logic, onChange } = desk;
  const move = (by: 1 | -1) => onChange(movePart(logic, path, by), null);
  return (
    <ActionMenu
      label={`Actions for ${noun} ${numberOf(path)}`}
      isQuiet
      actions={[
        ...own,
        { words: "Move up", icon: "up", onPress: () => move(-1) },
        { words: "Move down", icon: "down", onPress: () => move(1) },
        {
          words: `Take the ${noun} away`,
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

/** How a field is compared, the usual ways first. */
function ComparisonSelect({ rule, kind, onChoose }: ComparisonSelectProps) {
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

/** Whether rules are about the elements of the component's own collection, or about what is around it. */
type LogicUse = Extract<PathUse, "condition" | "filter">;

/** What rules may ask about: fields, whether lists and links have something, and how many a list has. */
function ruleOptions(
  editor: Editor,
  owner: string,
  where: LogicUse,
): PathOption[] {
  return pathOptions(editor, owner, where).flatMap((option) =>
    option.kind === "list" ? [option, countOption(option)] : [option],
  );
}

/** What can be put in order and grouped by: single values of the element itself. */
export function elementFields(editor: Editor, owner: string): PathOption[] {
  const around = pathOptions(editor, owner, "collection");
  const outer = new Set(around.map(({ path }) => path));
  const odd = ["list", "record", "special"];
  return pathOptions(editor, owner, "filter").filter(
    ({ path, kind }) => !outer.has(path) && !odd.includes(kind),
  );
}

const mostExamples = 30;

/** The different values that the sample has there, as they are written in it. */
function examplesOf(
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
  const scope = scopesAt(editor, owner, where);
  const isOwn = where === "filter" && scope?.ownerId === owner;
  const list = isOwn ? (keysOf(scope.collection.path) ?? []) : [];
  const all = isOwn
    ? sampleAt(samples, scope.parent, [...list, ...keys])
    : undefined;
  const found: unknown = all ?? sampleAt(samples, scope, keys);
  const values: unknown[] = Array.isArray(found) ? found : [found];
  const plain = values.filter(
    (one) => typeof one === "number" || typeof one === "string",
  );
  const different = new Set(plain.filter((one) => one !== ""));
  return [...different].slice(0, mostExamples);
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
