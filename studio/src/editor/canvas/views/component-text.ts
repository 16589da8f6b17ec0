import type { RepeatAnalysis } from "../../../../../core/compiler/views.js";
import type {
  Collection,
  Component,
  ComponentType,
  Text,
  Condition,
  Json,
  Logic,
  Rule,
  Operator,
} from "../../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../../model/catalog.js";
import type { Editor } from "../../model/editor.js";
import { asWords, keysOf } from "../../scope/path-text.js";
import { t } from "../../../messages/index.js";

const MAX_TEXT_LENGTH = 60;

/** Types whose HTML element has a role of its own; all others get the role `group`. */
const TYPES_WITH_ROLE: ReadonlySet<ComponentType> = new Set([
  "heading",
  "table",
  "table-row",
  "table-cell",
  "list",
  "list-item",
  "divider",
]);

export function getAccessibleName(component: Component): {
  role?: "group";
  "aria-label": string;
} {
  const { type } = component;
  const { words } = getCatalogEntry(type);
  const said = "text" in component ? toPlainText(component.text) : "";
  const label = said === "" ? words : `${words}: ${said}`;
  return TYPES_WITH_ROLE.has(type)
    ? { "aria-label": label }
    : { role: "group", "aria-label": label };
}

/** A text without marks and with field names for expressions, truncated. */
export function toPlainText(text: Text | undefined): string {
  const parts = text === undefined || typeof text === "string" ? [text] : text;
  const whole = parts
    .map((part) => {
      if (typeof part === "string") return part;
      return part && "text" in part ? part.text : " ";
    })
    .join("");
  const plain = whole
    .replaceAll(/\{\{\s*(.*?)\s*\}\}/g, (_all, source: string) =>
      getFieldName(source),
    )
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain.length > MAX_TEXT_LENGTH
    ? `${plain.slice(0, MAX_TEXT_LENGTH - 1)}…`
    : plain;
}

/** Returns "amount" for `line.amount | currency`. */
function getFieldName(expression: string): string {
  const path = expression.split("|")[0]?.trim() ?? "";
  return /^[\w$.]+$/.test(path) ? (path.split(".").at(-1) ?? path) : path;
}

/** Notes about a component's collection and condition. */
interface Notes {
  /** A short text for the tab next to it; empty for most components. */
  tab: string;
  /** The color of the tab; `repeat` if it has both. */
  kind: "repeat" | "condition";
  /** The same as full phrases. */
  phrases: readonly string[];
  /** Whether it has a collection and a condition. */
  isBoth: boolean;
  /** Whether its condition is false for the sample. */
  isHidden: boolean;
}

const NO_NOTES: Notes = {
  tab: "",
  kind: "repeat",
  isBoth: false,
  phrases: [],
  isHidden: false,
};

/** What each repetition is, in words: "order line"; of groups, what they are grouped by. */
export function getItemName({ collectionId, groupBy }: Collection): string {
  const name = (groupBy && keysOf(groupBy.field)?.at(-1)) ?? collectionId;
  const words = asWords(name);
  const isLower = /^\p{Ll}/u.test(name);
  return isLower ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** Subscribes to the facts only if the component has a collection or a condition. */
export function getNotes(component: Component, editor: Editor): Notes {
  const { collection, condition, id = "" } = component;
  if (!collection && !condition) return NO_NOTES;
  const facts = editor.facts.value;
  const lines: string[] = [];
  const phrases: string[] = [];
  if (collection) {
    const counted = getCountText(facts?.repeats[id]);
    lines.push(
      t("canvas.eachCollectionId", { collectionId: getItemName(collection) }),
      ...(counted ? [counted] : []),
    );
    const item = getItemName(collection);
    phrases.push(
      counted
        ? t("canvas.repeatsForEachWithCount", { item, amount: counted })
        : t("canvas.repeatsForEach", { item }),
    );
  }
  if (condition) {
    lines.push(t("canvas.shownIf"));
    phrases.push(getConditionText(condition));
  }
  const isHidden = facts?.conditions[id] === false;
  const kind = collection ? "repeat" : "condition";
  const isBoth = Boolean(collection && condition);
  return { tab: lines.join("\n"), kind, isBoth, phrases, isHidden };
}

function getCountText(facts: RepeatAnalysis | undefined): string {
  if (!facts) return "";
  if (facts.groups !== null) return t("canvas.groups", { count: facts.groups });
  return t("canvas.passingOfTotal", {
    passing: facts.passing,
    total: facts.total,
  });
}

/** Such as "Shown if total is more than 100". */
function getConditionText(condition: Condition): string {
  return t("canvas.shownIfCondition", { condition: getLogicText(condition) });
}

function getLogicText({ combinator, not, rules }: Logic): string {
  const join = combinator === "and" ? "canvas.both" : "canvas.either";
  const [start = "", ...others] = rules.map((rule) =>
    "rules" in rule ? `(${getLogicText(rule)})` : getRuleText(rule),
  );
  const words = others.reduce(
    (first, second) => t(join, { first, second }),
    start,
  );
  return not ? t("canvas.notWords", { words }) : words;
}

function getRuleText({ field, operator, value, valueSource }: Rule): string {
  const rule = {
    field: getFieldName(field),
    operator: OPERATOR_LABELS[operator] ?? operator,
  };
  if (value === undefined || value === null)
    return t("canvas.ruleWithoutValue", rule);
  const other = getValueText(value);
  return t("canvas.rule", {
    ...rule,
    value: valueSource === "field" ? getFieldName(other) : other,
  });
}

function getValueText(value: Json): string {
  if (Array.isArray(value)) return value.map(getValueText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Such as in "total is more than 100". */
export const OPERATOR_LABELS: Readonly<Record<Operator, string>> = {
  "=": t("rules.is"),
  "!=": t("rules.isNot"),
  "<": t("canvas.isLessThan"),
  "<=": t("rules.isAtMost"),
  ">": t("canvas.isMoreThan"),
  ">=": t("rules.isAtLeast"),
  contains: t("canvas.contains"),
  doesNotContain: t("canvas.doesNotContain"),
  beginsWith: t("canvas.beginsWith"),
  doesNotBeginWith: t("canvas.doesNotBeginWith"),
  endsWith: t("canvas.endsWith"),
  doesNotEndWith: t("canvas.doesNotEndWith"),
  in: t("canvas.isOneOf"),
  notIn: t("canvas.isNoneOf"),
  between: t("canvas.isBetween"),
  notBetween: t("canvas.isNotBetween"),
  null: t("canvas.isMissing"),
  notNull: t("canvas.exists"),
  empty: t("rules.isEmpty"),
  notEmpty: t("rules.isNotEmpty"),
};
