import type {
  Collection,
  Component,
  Condition,
  Logic,
  ProjectData,
  Rule,
} from "../../../../core/plugin-api/definition.js";
import { getSlots } from "./tree.js";

const noNames: NameMap = new Map();

/**
 * Renames the collections of components that are about to be inserted where a name is taken, with all references to it
 * inside the component. Names of fields stay as they are.
 */
export function withUniqueNames(
  components: readonly Component[],
  taken: ReadonlySet<string>,
  schema: ProjectData["schema"],
): Component[] {
  const fields = new Set(
    schema.flatMap((collection) => collection.fields.map(({ name }) => name)),
  );
  const renaming = new Renaming(taken, fields);
  return components.map((component) => renaming.component(component, noNames));
}

export function collectionNames(components: readonly Component[]): string[] {
  return components.flatMap((component) => [
    ...(component.collection ? [component.collection.collectionId] : []),
    ...getSlots(component).flatMap((slot) => collectionNames(slot.components)),
  ]);
}

/** One traversal of components: assigns each new name once and updates the references in its scope. */
class Renaming {
  readonly #taken: Set<string>;

  constructor(
    taken: ReadonlySet<string>,
    readonly fields: ReadonlySet<string>,
  ) {
    this.#taken = new Set(taken);
  }

  component(component: Component, outer: NameMap): Component {
    const { condition, collection } = component;
    const id = collection && this.#findFreeName(collection.collectionId);
    const inner = collection && id ? enterScope(outer, collection, id) : outer;
    return {
      ...this.#renameIn(component, inner),
      ...(condition && { condition: this.#condition(condition, outer) }),
      ...(collection &&
        id && { collection: this.#collection(collection, id, outer) }),
    };
  }

  /** Everything except `condition` and `collection`, which belong to the outer scope. */
  #renameIn(component: Component, names: NameMap): Component {
    const chart = new Set(["data", "label", "series"]);
    const isChart = component.type === "chart";
    const entries = Object.entries(component).map(([key, value]) => {
      const isLeft = /^(?:id|type|condition|collection|x-.*)$/.test(key);
      if (isLeft || (isChart && chart.has(key))) return [key, value];
      if (key !== "components") return [key, this.#templates(value, names)];
      const children: Component[] = Array.isArray(value) ? value : [];
      return [key, children.map((child) => this.component(child, names))];
    });
    // The keys and the types of the values do not change.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const renamed = Object.fromEntries(entries) as Component;
    return renamed.type === "chart" ? this.#chart(renamed, names) : renamed;
  }

  #chart(
    chart: Extract<Component, { type: "chart" }>,
    names: NameMap,
  ): Component {
    const data = this.#expression(chart.data, names);
    // A chart refers to an element of its data as `item`.
    const inner = without(names, "item");
    const label = this.#expression(chart.label, inner);
    const series = chart.series.map((entry) => ({
      ...entry,
      field: this.#expression(entry.field, inner),
    }));
    return { ...chart, data, label, series };
  }

  #condition(condition: Condition, names: NameMap): Condition {
    const { else: otherwise, ...logic } = condition;
    return {
      ...this.#logic(logic, (field) => this.#expression(field, names)),
      ...(otherwise && {
        else: otherwise.map((component) => this.component(component, names)),
      }),
    };
  }

  #collection(
    collection: Collection,
    collectionId: string,
    outer: NameMap,
  ): Collection {
    const { filter, sort, groupBy, empty } = collection;
    // Filter, sort and group apply before grouping.
    const names = enterScope(
      outer,
      { ...collection, groupBy: undefined },
      collectionId,
    );
    const field = (source: string) => this.#field(source, names);
    return {
      ...collection,
      collectionId,
      path: this.#expression(collection.path, outer),
      ...(filter && { filter: this.#logic(filter, field) }),
      ...(sort && {
        sort: sort.map((criterion) => ({
          ...criterion,
          field: field(criterion.field),
        })),
      }),
      ...(groupBy && { groupBy: { ...groupBy, field: field(groupBy.field) } }),
      ...(empty && {
        empty: empty.map((component) => this.component(component, outer)),
      }),
    };
  }

  #logic<T extends Logic>(logic: T, rename: (field: string) => string): T {
    const rules = logic.rules.map((rule): Rule | Logic => {
      if ("rules" in rule) return this.#logic(rule, rename);
      const { value, valueSource } = rule;
      const isField = valueSource === "field" && typeof value === "string";
      return {
        ...rule,
        field: rename(rule.field),
        ...(isField && { value: rename(value) }),
      };
    });
    return { ...logic, rules };
  }

  #templates(value: unknown, names: NameMap): unknown {
    if (typeof value === "string")
      return renameInTemplate(value, names, (name) => this.fields.has(name));
    if (Array.isArray(value))
      return value.map((item: unknown) => this.#templates(item, names));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        this.#templates(child, names),
      ]),
    );
  }

  #expression(source: string, names: NameMap): string {
    return renameInExpression(source, names, (name) => this.fields.has(name));
  }

  /** The fields of filters, sorts and groups start at the element, whose own fields take precedence. */
  #field(source: string, names: NameMap): string {
    const left = [...this.fields].reduce(without, names);
    return this.#expression(source, left);
  }

  #findFreeName(name: string): string {
    let free = name;
    const stem = name.replace(/\d+$/, "");
    const isUsed = (candidate: string) =>
      this.#taken.has(candidate) ||
      (candidate !== name && this.fields.has(candidate));
    for (let count = 2; isUsed(free); count++) free = `${stem}${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** The names inside a collection; its own name shadows an outer one. */
function enterScope(
  outer: NameMap,
  { collectionId: old, groupBy }: Collection,
  id: string,
): NameMap {
  const names = new Map(groupBy ? without(outer, "group") : outer);
  if (old === id) names.delete(old);
  else names.set(old, id);
  return names;
}

function without(names: NameMap, name: string): NameMap {
  if (!names.has(name)) return names;
  const left = new Map(names);
  left.delete(name);
  return left;
}

/** New names by old names. */
type NameMap = ReadonlyMap<string, string>;

const TOKEN =
  /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|(?<name>[\p{L}_$][\p{L}\p{M}\p{N}_$]*)|[^\s]|\s+/gu;
/** Functions whose second argument is always a field of the elements. */
const AGGREGATES = new Set(["SUM", "AVG", "MIN", "MAX", "COUNT"]);

interface Call {
  name: string;
  argument: number;
}

/**
 * Renames the first names of the paths in an expression.
 * @param isField whether a bare word is a field of the data
 */
function renameInExpression(
  source: string,
  names: NameMap,
  isField: (word: string) => boolean,
): string {
  const calls: Call[] = [];
  let before = "";
  const parts = [...source.matchAll(TOKEN)];
  return parts
    .map((match, index) => {
      const text = match[0];
      if (text.trim() === "") return text;
      const after = parts
        .slice(index + 1)
        .find(([token]) => token.trim() !== "");
      const isName = match.groups?.["name"] !== undefined;
      const isFirst = isName && before !== "." && before !== "|";
      const isRead = isFirst && after?.[0] !== "(" && !isFieldOfCall(calls);
      const isPath = after?.[0] === "." || after?.[0] === "[";
      trackCalls(calls, text, before);
      before = text;
      if (!isRead || (!isPath && isField(text))) return text;
      return names.get(text) ?? text;
    })
    .join("");
}

function renameInTemplate(
  source: string,
  names: NameMap,
  isField: (word: string) => boolean,
): string {
  return source.replaceAll(
    /(?<!\\)\{\{(?<inside>(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|(?!\}\})[^])*)\}\}/g,
    (_, inside: string) => `{{${renameInExpression(inside, names, isField)}}}`,
  );
}

function isFieldOfCall(calls: readonly Call[]): boolean {
  const call = calls.at(-1);
  return call !== undefined && AGGREGATES.has(call.name) && call.argument > 0;
}

function trackCalls(calls: Call[], text: string, before: string): void {
  const call = calls.at(-1);
  if (text === "(") calls.push({ name: before, argument: 0 });
  if (text === ")") calls.pop();
  if (text === "," && call) call.argument += 1;
}
