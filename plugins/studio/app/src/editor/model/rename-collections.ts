import type {
  Collection,
  Component,
  Condition,
  Logic,
  ProjectData,
  Rule,
} from "../../../../../../core/plugin-api/definition.js";

const none: NewNames = new Map();

/**
 * Components that are about to join a definition, with free names for their collections: where a name is taken, all that
 * reads it inside the component goes along. Names of the data model stay as they are.
 */
export function withFreeNames(
  components: readonly Component[],
  taken: ReadonlySet<string>,
  schema: ProjectData["schema"],
): Component[] {
  const fields = new Set(
    schema.flatMap((one) => one.fields.map(({ name }) => name)),
  );
  const renaming = new Renaming(taken, fields);
  return components.map((one) => renaming.component(one, none));
}

/** The names of the collections in these components. */
export function collectionNames(components: readonly Component[]): string[] {
  return components.flatMap((one) => [
    ...(one.collection ? [one.collection.collectionId] : []),
    ...collectionNames(("components" in one && one.components) || []),
    ...collectionNames(one.condition?.else ?? []),
    ...collectionNames(one.collection?.empty ?? []),
  ]);
}

/** One walk over components: each name is given once, and read where it is in scope. */
class Renaming {
  readonly #taken: Set<string>;

  constructor(
    taken: ReadonlySet<string>,
    readonly fields: ReadonlySet<string>,
  ) {
    this.#taken = new Set(taken);
  }

  component(component: Component, outer: NewNames): Component {
    const { condition, collection } = component;
    const id = collection && this.#freeName(collection.collectionId);
    const inner = collection && id ? inside(outer, collection, id) : outer;
    return {
      ...this.#own(component, inner),
      ...(condition && { condition: this.#condition(condition, outer) }),
      ...(collection &&
        id && { collection: this.#collection(collection, id, outer) }),
    };
  }

  /** All but `condition` and `collection`, which begin outside. */
  #own(component: Component, names: NewNames): Component {
    const chart = new Set(["data", "label", "series"]);
    const isChart = component.type === "chart";
    const own = Object.entries(component).map(([key, value]) => {
      const isLeft = /^(?:id|type|condition|collection|x-.*)$/.test(key);
      if (isLeft || (isChart && chart.has(key))) return [key, value];
      if (key !== "components") return [key, this.#templates(value, names)];
      const children: Component[] = Array.isArray(value) ? value : [];
      return [key, children.map((one) => this.component(one, names))];
    });
    // The keys are the component's own, and each value keeps its form.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const renamed = Object.fromEntries(own) as Component;
    return renamed.type === "chart" ? this.#chart(renamed, names) : renamed;
  }

  #chart(
    chart: Extract<Component, { type: "chart" }>,
    names: NewNames,
  ): Component {
    const data = this.#expression(chart.data, names);
    // Inside its data a chart calls an element `item`.
    const inner = without(names, "item");
    const label = this.#expression(chart.label, inner);
    const series = chart.series.map((one) => ({
      ...one,
      field: this.#expression(one.field, inner),
    }));
    return { ...chart, data, label, series };
  }

  #condition(condition: Condition, names: NewNames): Condition {
    const { else: otherwise, ...logic } = condition;
    return {
      ...this.#logic(logic, (field) => this.#expression(field, names)),
      ...(otherwise && {
        else: otherwise.map((one) => this.component(one, names)),
      }),
    };
  }

  #collection(
    collection: Collection,
    collectionId: string,
    outer: NewNames,
  ): Collection {
    const { filter, sort, groupBy, empty } = collection;
    // Until they are grouped, elements are elements.
    const names = inside(
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
        sort: sort.map((one) => ({ ...one, field: field(one.field) })),
      }),
      ...(groupBy && { groupBy: { ...groupBy, field: field(groupBy.field) } }),
      ...(empty && { empty: empty.map((one) => this.component(one, outer)) }),
    };
  }

  #logic<T extends Logic>(logic: T, rename: (field: string) => string): T {
    const rules = logic.rules.map((one): Rule | Logic => {
      if ("rules" in one) return this.#logic(one, rename);
      const { value, valueSource } = one;
      const isField = valueSource === "field" && typeof value === "string";
      return {
        ...one,
        field: rename(one.field),
        ...(isField && { value: rename(value) }),
      };
    });
    return { ...logic, rules };
  }

  #templates(value: unknown, names: NewNames): unknown {
    if (typeof value === "string")
      return renameInTemplate(value, names, (one) => this.fields.has(one));
    if (Array.isArray(value))
      return value.map((one: unknown) => this.#templates(one, names));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        this.#templates(one, names),
      ]),
    );
  }

  #expression(source: string, names: NewNames): string {
    return renameInExpression(source, names, (one) => this.fields.has(one));
  }

  /** A field of a filter, a sort or a group begins at the element, whose own fields come first. */
  #field(source: string, names: NewNames): string {
    const left = [...this.fields].reduce(without, names);
    return this.#expression(source, left);
  }

  #freeName(name: string): string {
    let free = name;
    const stem = name.replace(/\d+$/, "");
    const isUsed = (one: string) =>
      this.#taken.has(one) || (one !== name && this.fields.has(one));
    for (let count = 2; isUsed(free); count++) free = `${stem}${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** The names inside a collection; its own hides one of the same name around it. */
function inside(
  outer: NewNames,
  { collectionId: old, groupBy }: Collection,
  id: string,
): NewNames {
  const names = new Map(groupBy ? without(outer, "group") : outer);
  if (old === id) names.delete(old);
  else names.set(old, id);
  return names;
}

function without(names: NewNames, name: string): NewNames {
  if (!names.has(name)) return names;
  const left = new Map(names);
  left.delete(name);
  return left;
}

/** What scopes of the data are called now, by what they were called. */
type NewNames = ReadonlyMap<string, string>;

const TOKEN =
  /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|(?<name>[\p{L}_$][\p{L}\p{M}\p{N}_$]*)|[^\s]|\s+/gu;
/** Their second argument names a field of the elements, whatever else has its name. */
const AGGREGATES = new Set(["SUM", "AVG", "MIN", "MAX", "COUNT"]);

interface Call {
  name: string;
  argument: number;
}

/**
 * An expression in which paths begin with the new names.
 * @param isField tells which bare words are fields of the data, and no scope
 */
function renameInExpression(
  source: string,
  names: NewNames,
  isField: (word: string) => boolean,
): string {
  const calls: Call[] = [];
  let before = "";
  const parts = [...source.matchAll(TOKEN)];
  return parts
    .map((match, index) => {
      const text = match[0];
      if (text.trim() === "") return text;
      const after = parts.slice(index + 1).find(([one]) => one.trim() !== "");
      const isName = match.groups?.["name"] !== undefined;
      const isFirst = isName && before !== "." && before !== "|";
      const isRead = isFirst && after?.[0] !== "(" && !isFieldOfCall(calls);
      const isPath = after?.[0] === "." || after?.[0] === "[";
      follow(calls, text, before);
      before = text;
      if (!isRead || (!isPath && isField(text))) return text;
      return names.get(text) ?? text;
    })
    .join("");
}

/** A Template with the new names in its expressions; the text around them stays as it is. */
function renameInTemplate(
  source: string,
  names: NewNames,
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

function follow(calls: Call[], text: string, before: string): void {
  const call = calls.at(-1);
  if (text === "(") calls.push({ name: before, argument: 0 });
  if (text === ")") calls.pop();
  if (text === "," && call) call.argument += 1;
}
