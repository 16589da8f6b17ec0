import { PlatenError } from "../../plugin-api/index.js";
import {
  compileLogic,
  repeatTypes,
  rootTypes,
  type Scope,
  type ScopeTypes,
} from "../../definition/expressions/index.js";
import { checkCaps } from "../../definition/validation/check-caps.js";
import { checkShape } from "../../definition/validation/check-shape.js";
import { soundParts } from "../../definition/validation/sound-parts.js";
import { buildTree, type TreeNode } from "../../definition/validation/tree.js";
import { repeatSchema } from "../../definition/schema/data-schema.js";
import { MERGE_LIMITS } from "../merge/limits.js";
import { startMerge } from "../merge/start-merge.js";
import { liftDefinition } from "../../definition/migration/lift-definition.js";
import { FirstElements } from "./first-elements.js";
import { type SampleValues, ValueTeller } from "./sample-values.js";
import { countRepeat, type RepeatCounts } from "./count-repeat.js";

/** What a definition makes of a sample, by the ids of its components; what cannot be told is left out. */
export interface SampleFacts {
  repeats: Map<string, RepeatCounts & { first: unknown }>;
  conditions: Map<string, boolean>;
  values: Map<string, SampleValues>;
}

/** Each step of a repeat is run by itself, so that it is counted. */
const limits = { iterations: 4 * MERGE_LIMITS.iterations };

/**
 * Evaluates every repeat, condition and value, those inside a repeat for the first element that it shows.
 * @param written any JSON value; what has problems is left out
 */
export function sampleFacts(
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
  const input = liftDefinition(written);
  const shape = checkShape(input);
  const definition = soundParts(input, shape);
  attempt(() => {
    const options = { isTest: false, now, limits };
    const { root } = startMerge(definition, sample, options);
    const teller = new Teller(facts);
    const types = rootTypes(definition.schema);
    for (const node of buildTree(input, shape).roots)
      teller.tell(node, types, root);
  });
  return facts;
}

class Teller {
  readonly #elements = new FirstElements();
  readonly #values = new ValueTeller();

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
    if (!node.isSound || id === undefined) return;
    const values = this.#values.of(node, types, scope);
    if (values) this.facts.values.set(id, values);
  }

  #tellCondition(
    { component: { id, condition }, path, isSound }: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): void {
    if (!condition || !isSound || id === undefined) return;
    attempt(() => {
      const holds = compileLogic(condition, path, types)(scope);
      this.facts.conditions.set(id, holds);
    });
  }

  /** @returns where its children stand; null when there is no element, or none that can be told of. */
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

/** Null for what the checker refuses, and for what is too much for one document. */
function attempt<T>(tell: () => T): T | null {
  try {
    return tell();
  } catch (error) {
    if (error instanceof PlatenError) return null;
    throw error;
  }
}
