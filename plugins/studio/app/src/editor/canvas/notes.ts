import type {
  Component,
  Condition,
  Json,
  Logic,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";
import type { RepeatFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type { Editor } from "../model/editor.js";
import { fieldName } from "./component-name.js";
import { operatorWords } from "./operator-words.js";

/** What is told of a component beside its content. */
export interface Notes {
  /** Short, for the tab beside it; empty for most components. */
  tab: string;
  /** What the tab's colour says; what repeats under a condition is shown as repeating. */
  kind: "repeat" | "condition";
  /** In whole phrases. */
  said: readonly string[];
  /** Whether the sample hides it. */
  isUnshown: boolean;
}

const none: Notes = { tab: "", kind: "repeat", said: [], isUnshown: false };

/** Read within a drawing, they are read again when the service answers; of what always stands there, nothing is. */
export function notesOf(component: Component, editor: Editor): Notes {
  const { collection, condition, id = "" } = component;
  if (!collection && !condition) return none;
  const facts = editor.facts.value;
  const lines: string[] = [];
  const said: string[] = [];
  if (collection) {
    const counted = countOf(facts?.repeats[id]);
    lines.push(
      `Each ${collection.collectionId}`,
      ...(counted ? [counted] : []),
    );
    said.push(
      `Repeats for each ${collection.collectionId}${counted && ` · ${counted}`}`,
    );
  }
  if (condition) {
    lines.push("Shown if…");
    said.push(conditionWords(condition));
  }
  const isUnshown = facts?.conditions[id] === false;
  const kind = collection ? "repeat" : "condition";
  return { tab: lines.join("\n"), kind, said, isUnshown };
}

function countOf(facts: RepeatFacts | undefined): string {
  if (!facts) return "";
  if (facts.groups !== null)
    return facts.groups === 1 ? "1 group" : `${facts.groups} groups`;
  return `${facts.passing} of ${facts.total}`;
}

/** "Shown if total is more than 100". */
function conditionWords(condition: Condition): string {
  return `Shown if ${logicWords(condition)}`;
}

function logicWords({ combinator, not, rules }: Logic): string {
  const words = rules
    .map((rule) =>
      "rules" in rule ? `(${logicWords(rule)})` : ruleWords(rule),
    )
    .join(` ${combinator} `);
  return not ? `not (${words})` : words;
}

function ruleWords({ field, operator, value, valueSource }: Rule): string {
  const named = fieldName(field);
  const words = operatorWords[operator] ?? operator;
  if (value === undefined || value === null) return `${named} ${words}`;
  const other = valueWords(value);
  const shown = valueSource === "field" ? fieldName(other) : other;
  return `${named} ${words} ${shown}`;
}

function valueWords(value: Json): string {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
