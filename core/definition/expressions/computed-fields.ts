import { checkBudget } from "../../lib/time-budget.js";
import {
  type DataCollection,
  type Field,
  getFormula,
} from "../schema/data-schema.js";
import { compileExpression, type Evaluator } from "./compile-expression.js";
import { isUsable, writeStep } from "./invalid-values.js";
import { parseExpression } from "./parse.js";
import { collectionTypes } from "./resolve-path.js";
import { itemScope, type Scope } from "./scope.js";
import {
  isEmpty,
  isList,
  isRecord,
  losesPart,
  toNumeric,
  toText,
  SafeHtml,
} from "./values.js";

// Computed fields are properties of the records that are calculated when they are first read. So whatever reads a field
// reads them too: filters, sorts, groups, aggregates and other computed fields.

/** Returns the root record with its computed fields, and those of the records that its links lead to. */
export type AddComputedFields = (record: object, root: Scope) => object;

/**
 * Compiles the computed fields of a schema; undefined when no record has any.
 * @throws PlatenError `invalid_definition` for what the checker rejects
 */
export function compileComputedFields(
  schema: readonly DataCollection[],
): AddComputedFields | undefined {
  const reached = findCollections(schema);
  if (!reached.has("root")) return undefined;
  const types = collectionTypes(schema);
  const plans = new Map<string, RecordPlan>();
  for (const [index, { id, fields }] of schema.entries()) {
    const scopeTypes = types.get(id);
    if (!reached.has(id) || !scopeTypes) continue;
    const computed = fields.flatMap((field, at): ComputedField[] => {
      const source = getFormula(field);
      if (source === undefined) return [];
      const where = `$.schema[${index}].fields[${at}].computed`;
      const { name, type } = field;
      const env = {
        where,
        types: scopeTypes,
        reach: "item",
        ignoresMissing: false,
      } as const;
      const evaluate = compileExpression(parseExpression(source), env);
      return [{ name, type, where, evaluate }];
    });
    const links = fields.flatMap((field) =>
      "target" in field && reached.has(field.target)
        ? [{ name: field.name, target: field.target }]
        : [],
    );
    plans.set(id, { computed, links });
  }
  return (record, root) =>
    new RecordExtender(plans, root).extend(record, {
      id: "root",
      getPath: () => "root",
      index: 0,
      count: 1,
      scope: root,
    });
}

interface ComputedField {
  name: string;
  type: Field["type"];
  /** JSON path of the expression, for reports. */
  where: string;
  evaluate: Evaluator;
}

interface RecordPlan {
  computed: readonly ComputedField[];
  /** Links to records with computed fields of their own, or further links to such records. */
  links: readonly { name: string; target: string }[];
}

/** The collections with computed fields, and those with links that lead to one. */
function findCollections(
  schema: readonly DataCollection[],
): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  for (const { id, fields } of schema)
    for (const field of fields)
      if ("target" in field)
        sources.set(field.target, [...(sources.get(field.target) ?? []), id]);
  const collectionIds = new Set<string>();
  const open = schema
    .filter(({ fields }) =>
      fields.some((field) => getFormula(field) !== undefined),
    )
    .map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (collectionIds.has(id)) continue;
    collectionIds.add(id);
    open.push(...(sources.get(id) ?? []));
  }
  return collectionIds;
}

/** A record: its collection, and its position in the data. */
interface RecordPlace {
  id: string;
  getPath: () => string;
  index: number;
  count: number;
  /** Created when a field is first computed, except for the root. */
  scope?: Scope;
}

class RecordExtender {
  constructor(
    private readonly plans: ReadonlyMap<string, RecordPlan>,
    private readonly root: Scope,
  ) {}

  /** A copy of the record: what the caller sent stays as it is. */
  extend(record: object, place: RecordPlace): object {
    const plan = this.plans.get(place.id);
    if (!plan) return record;
    checkBudget();
    const item = { ...record };
    const { id, getPath, index, count } = place;
    const getScope = () =>
      (place.scope ??= itemScope(
        id,
        this.root,
        item,
        index,
        count,
        null,
        getPath,
      ));
    for (const { name, target } of plan.links) {
      const value: unknown = Reflect.get(item, name);
      if (!Object.hasOwn(item, name) || typeof value !== "object") continue;
      defineLazy(item, name, () =>
        this.#extendLink(value, target, () => getPath() + writeStep(name)),
      );
    }
    for (const field of plan.computed) {
      this.#reportSentValue(item, field, place);
      defineLazy(item, field.name, () => this.#compute(field, getScope()));
    }
    return item;
  }

  #extendLink(value: unknown, id: string, getPath: () => string): unknown {
    if (isRecord(value))
      return this.extend(value, { id, getPath, index: 0, count: 1 });
    if (!isList(value)) return value;
    const count = value.length;
    return value.map((element: unknown, index) =>
      isRecord(element)
        ? this.extend(element, {
            id,
            getPath: () => `${getPath()}[${index}]`,
            index,
            count,
          })
        : element,
    );
  }

  #reportSentValue(
    item: object,
    { name, where }: ComputedField,
    { getPath }: RecordPlace,
  ): void {
    if (!Object.hasOwn(item, name)) return;
    const sent: unknown = Reflect.get(item, name);
    if (isEmpty(sent)) return;
    const path = getPath() + writeStep(name);
    this.root.context.onInvalid(path, where, "computed", sent);
  }

  /** The value as its type: what does not fit is reported and null. */
  #compute({ name, type, where, evaluate }: ComputedField, scope: Scope) {
    const value = evaluate(scope);
    if (isEmpty(value)) return null;
    const { context, findPath, index } = scope;
    const path = () => (findPath?.(index) ?? scope.id) + writeStep(name);
    if (type === "Number" || type === "Date" || type === "Boolean") {
      const expected = typeNames[type];
      if (isUsable(value, expected, context.timeZone))
        return type === "Number" ? toNumeric(value) : value;
      context.onInvalid(path(), where, expected, value);
      return null;
    }
    if (losesPart(value)) context.onInvalid(path(), where, "text", value);
    return isList(value) || value instanceof SafeHtml ? value : toText(value);
  }
}

const typeNames = {
  Number: "number",
  Date: "date",
  Boolean: "boolean",
} as const;

/** A property that is computed when it is first read. While that lasts it is null, so that nothing waits for itself. */
function defineLazy(item: object, name: string, compute: () => unknown): void {
  let value: unknown = null;
  let isComputed = false;
  Object.defineProperty(item, name, {
    enumerable: true,
    configurable: true,
    get() {
      if (isComputed) return value;
      isComputed = true;
      try {
        value = compute();
      } catch (error) {
        isComputed = false;
        throw error;
      }
      return value;
    },
  });
}
