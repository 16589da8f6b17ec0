import {
  compileLogic,
  repeatTypes,
  rootTypes,
  type Scope,
  type ScopeTypes,
  compileRepeat,
  compileText,
  splitTemplate,
} from "../definition/expressions/index.js";
import { migrateDefinition } from "../definition/migrate-definition.js";
import { repeatSchema, type Repeat } from "../definition/schema/data-schema.js";
import { checkCaps } from "../definition/validation/check-caps.js";
import { checkShape } from "../definition/validation/check-shape.js";
import {
  getValidParts,
  buildTree,
  type TreeNode,
} from "../definition/validation/component-tree.js";
import { ownStrings } from "../definition/validation/check-bindings.js";
import { PlatenError } from "../plugin-api/index.js";
import { MERGE_LIMITS, startMerge } from "./merge-run.js";

/** The results of evaluating a sample, by component id. Components that cannot be evaluated are omitted. */
export interface SampleFacts {
  repeats: Map<string, RepeatCounts & { first: unknown }>;
  conditions: Map<string, boolean>;
  values: Map<string, SampleValues>;
}

/** Each step of a collection runs separately so that it can be counted. */
const limits = { iterations: 4 * MERGE_LIMITS.iterations };

/**
 * Evaluates every collection, condition and value; inside a collection, for its first element.
 * @param written any JSON value; parts with problems are skipped
 */
export function evaluateSample(
  written: unknown,
  sample: unknown,
  now: Date,
): SampleFacts {
  const facts: SampleFacts = {
    repeats: new Map(),
    conditions: new Map(),
    values: new Map(),
  };
  if (checkCaps(written).length > 0) return facts;
  const input = migrateDefinition(written);
  const shape = checkShape(input);
  const definition = getValidParts(input, shape);
  attempt(() => {
    const options = { isTest: false, now, limits };
    const { root } = startMerge(definition, sample, options);
    const teller = new SampleEvaluator(facts);
    const types = rootTypes(definition.schema);
    for (const node of buildTree(input, shape).roots)
      teller.tell(node, types, root);
  });
  return facts;
}

class SampleEvaluator {
  readonly #elements = new FirstElements();
  readonly #values = new ValueFormatter();

  constructor(private readonly facts: SampleFacts) {}

  tell(node: TreeNode, types: ScopeTypes, scope: Scope): void {
    this.#tellCondition(node, types, scope);
    const inside = node.component.collection
      ? this.#tellRepeat(node, types, scope)
      : { types, scope };
    for (const child of node.branches) this.tell(child, types, scope);
    if (!inside) return;
    this.#tellValues(node, inside.types, inside.scope);
    for (const child of node.children)
      this.tell(child, inside.types, inside.scope);
  }

  #tellValues(node: TreeNode, types: ScopeTypes, scope: Scope): void {
    const { id } = node.component;
    if (!node.isValid || id === undefined) return;
    const values = this.#values.of(node, types, scope);
    if (values) this.facts.values.set(id, values);
  }

  #tellCondition(
    { component: { id, condition }, path, isValid }: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): void {
    if (!condition || !isValid || id === undefined) return;
    attempt(() => {
      const holds = compileLogic(condition, path, types)(scope);
      this.facts.conditions.set(id, holds);
    });
  }

  /** @returns the scope of its children; null when there is no element or it cannot be evaluated */
  #tellRepeat(
    { component: { id, collection }, path }: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): { types: ScopeTypes; scope: Scope } | null {
    const { data: repeat } = repeatSchema.strip().safeParse(collection);
    if (!repeat) return null;
    return attempt(() => {
      const { first, ...counts } = countRepeat(repeat, path, types, scope);
      const shown = first ? this.#elements.of(first) : null;
      if (typeof id === "string")
        this.facts.repeats.set(id, { ...counts, first: shown });
      return first && { types: repeatTypes(repeat, types), scope: first };
    });
  }
}

/** Returns null for what the checker rejects and for what exceeds the limits of a document. */
function attempt<T>(tell: () => T): T | null {
  try {
    return tell();
  } catch (error) {
    if (error instanceof PlatenError) return null;
    throw error;
  }
}

interface RepeatCounts {
  /** Number of elements. */
  total: number;
  /** Number of elements that pass the filter. */
  passing: number;
  /** Number of groups; null without groupBy. */
  groups: number | null;
}

/**
 * Counts the elements of a collection after each step.
 * @throws PlatenError as `compileRepeat`
 * @returns also the scope of the first shown element, if any
 */
function countRepeat(
  repeat: Repeat,
  path: string,
  types: ScopeTypes,
  scope: Scope,
): RepeatCounts & { first: Scope | null } {
  const run = (part: Repeat) => compileRepeat(part, path, types)(scope);
  const { collectionId, path: list, filter, groupBy } = repeat;
  const all = { collectionId, path: list };
  const filtered = { ...all, filter };
  const total = run(all).length;
  const passing = filter ? run(filtered).length : total;
  const groups = groupBy ? run({ ...filtered, groupBy }).length : null;
  return { total, passing, groups, first: run(repeat)[0] ?? null };
}

/** Maximum length of one value; the editor shows no more. */
const MAX_VALUE_LENGTH = 2000;
/** Maximum length of all values together. */
const MAX_VALUE_CHARACTERS = 2 * 1024 * 1024;

/** The printed values of a component's expressions, by the text between the braces. */
type SampleValues = Record<string, string>;

/** Evaluates each expression separately, so that one with a problem does not hide the others. */
class ValueFormatter {
  #left = MAX_VALUE_CHARACTERS;

  /** Null when there is no value. */
  of(
    { component, path }: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): SampleValues | null {
    const values = new Map<string, string>();
    for (const expression of ownStrings(component).flatMap(findExpressions)) {
      if (this.#left <= 0 || values.has(expression)) continue;
      const value = printed(expression, path, types, scope);
      if (value === null) continue;
      const text = shortened(value);
      this.#left -= text.length;
      if (this.#left >= 0) values.set(expression, text);
    }
    return values.size === 0 ? null : Object.fromEntries(values);
  }
}

/** Data URLs are not truncated, because half an image is invalid. */
function shortened(value: string): string {
  return value.startsWith("data:") ? value : value.slice(0, MAX_VALUE_LENGTH);
}

function findExpressions({ source }: { source: string }): string[] {
  try {
    return splitTemplate(source).inner.map((inner) => inner.trim());
  } catch (error) {
    return refusedAsNone(error, []);
  }
}

function printed(
  expression: string,
  path: string,
  types: ScopeTypes,
  scope: Scope,
): string | null {
  try {
    const write = compileText(`{{ ${expression} }}`, path, types);
    return write(scope, "plain");
  } catch (error) {
    return refusedAsNone(error, null);
  }
}

/** Omits what the checker rejects and what is too long. */
function refusedAsNone<T>(error: unknown, none: T): T {
  if (error instanceof PlatenError) return none;
  throw error;
}

/** Maximum JSON size of all elements together: the same large element may be the first of thousands of collections. */
const MAX_ELEMENT_CHARACTERS = 4 * 1024 * 1024;

/** The first elements of collections, up to a total size. */
class FirstElements {
  #left = MAX_ELEMENT_CHARACTERS;
  readonly #sizes = new WeakMap<object, number>();

  /** Returns a group as `{ key, items }`; null beyond the limit. */
  of({ item, group }: Scope): unknown {
    if (this.#left <= 0) return null;
    this.#left -= this.#getSize(item);
    if (this.#left < 0) return null;
    return group ? { key: group.key, items: group.items } : item;
  }

  #getSize(item: unknown): number {
    if (typeof item !== "object" || item === null)
      return String(item).length + 2;
    const known = this.#sizes.get(item);
    if (known !== undefined) return known;
    const size = JSON.stringify(item).length;
    this.#sizes.set(item, size);
    return size;
  }
}
