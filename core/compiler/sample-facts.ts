import type { SampleRow } from "./views.js";
import {
  chargeMarkup,
  compileLogic,
  type Condition,
  markdownToHtml,
  type Repeater,
  repeatTypes,
  rootTypes,
  sanitizeMarkup,
  type Scope,
  type ScopeTypes,
  compileRepeat,
  compileText,
  escapeHtml,
  splitTemplate,
} from "../definition/expressions/index.js";
import { TOKEN } from "../definition/asset-registry.js";
import { parseMarkup } from "../definition/markup/parse-markup.js";
import { columnShares } from "../definition/page/layout.js";
import { layOutPaper } from "../definition/page/paper.js";
import { migrateDefinition } from "../definition/migrate-definition.js";
import type {
  Component,
  ComponentOf,
} from "../definition/schema/component-schema.js";
import { repeatSchema, type Repeat } from "../definition/schema/data-schema.js";
import type { ProjectData } from "../definition/schema/definition-schema.js";
import { checkCaps } from "../definition/validation/check-caps.js";
import { checkShape } from "../definition/validation/check-shape.js";
import {
  getValidParts,
  buildTree,
  type TreeNode,
} from "../definition/validation/component-tree.js";
import { ownStrings } from "../definition/validation/check-bindings.js";
import { PlatenError } from "../plugin-api/index.js";
import { columnWidths } from "./components/emit-blocks.js";
import { compileOwn } from "./components/emit-component.js";
import { endsInMarkdown } from "./components/emit-context.js";
import { EMAIL_FRAME } from "./email/email-style.js";
import { MERGE_LIMITS } from "./program.js";
import { Run } from "./merge-run.js";
import { compileStart } from "./start-merge.js";
import { compileStyles } from "./page/markup-styles.js";

/**
 * The results of evaluating a sample, by component id: what the first element of each collection prints, and in `rows`
 * what its further elements print. Components that cannot be evaluated are omitted.
 */
export interface SampleFacts {
  repeats: Map<string, RepeatCounts & { first: unknown }>;
  conditions: Map<string, boolean>;
  values: Map<string, SampleValues>;
  /** The printed HTML of Markdown, HTML and markup, by the Template of the component, or by an expression in its text. */
  markup: Map<string, SampleValues>;
  /** The SVG of charts and codes. */
  drawings: Map<string, string>;
  /** How often a collection is printed. */
  counts: Map<string, number>;
  /** The elements after the first one, up to `MAX_ROWS` altogether. */
  rows: Map<string, SampleRow[]>;
}

/** Each step of a collection runs separately so that it can be counted. */
const limits = { iterations: 4 * MERGE_LIMITS.iterations };

/** Fills a few pages; an editor shows no more. */
const MAX_ROWS = 200;

/**
 * Evaluates every collection, condition and value.
 * @param written any JSON value; parts with problems are skipped
 */
export function evaluateSample(
  written: unknown,
  sample: unknown,
  now: Date,
): SampleFacts {
  const facts = { ...createFacts(), repeats: new Map() };
  if (checkCaps(written).length > 0) return facts;
  const input = migrateDefinition(written);
  const shape = checkShape(input);
  const definition = getValidParts(input, shape);
  attempt(() => {
    const options = { isTest: false, now, limits };
    // A formula, or a locale, that does not compile must not hide everything else.
    const start =
      attempt(() => compileStart(definition)) ??
      compileStart({ ...definition, schema: [], locale: "en-US" });
    const { root } = start(sample, options);
    const tree = buildTree(input, shape);
    const isHtml = tree.all.every(({ component: { type } }) =>
      ["markup", "fragment"].includes(type),
    );
    const layout = new Layout(definition, isHtml);
    const evaluator = new SampleEvaluator(facts, sample, layout);
    const types = rootTypes(definition.schema);
    for (const node of tree.roots) evaluator.evaluate(node, types, root, facts);
  });
  return facts;
}

/** The facts of one scope, such as the document or a row. */
type ScopeFacts = Omit<SampleFacts, "repeats">;

function createFacts(): ScopeFacts {
  return {
    conditions: new Map(),
    values: new Map(),
    markup: new Map(),
    drawings: new Map(),
    counts: new Map(),
    rows: new Map(),
  };
}

function toRow(facts: ScopeFacts, place: SampleRow["place"]): SampleRow {
  return {
    place,
    conditions: Object.fromEntries(facts.conditions),
    values: Object.fromEntries(facts.values),
    markup: Object.fromEntries(facts.markup),
    drawings: Object.fromEntries(facts.drawings),
    counts: Object.fromEntries(facts.counts),
    rows: Object.fromEntries(facts.rows),
  };
}

class SampleEvaluator {
  readonly #elements = new FirstElements();
  readonly #values: ValueFormatter;
  /** Of rows, which must not take the space of other components. */
  readonly #rowValues: ValueFormatter;
  readonly #conditions = new Map<TreeNode, Condition>();
  readonly #repeaters = new Map<TreeNode, Repeater>();
  #rowsLeft = MAX_ROWS;
  #places: ReadonlyMap<unknown, (string | number)[]> | null = null;

  /** @param whole the facts of the document */
  constructor(
    private readonly whole: SampleFacts,
    private readonly sample: unknown,
    layout: Layout,
  ) {
    this.#values = new ValueFormatter(MAX_CHARACTERS, layout);
    this.#rowValues = new ValueFormatter(MAX_ROW_CHARACTERS, layout);
  }

  /** @param facts those of the scope */
  evaluate(
    node: TreeNode,
    types: ScopeTypes,
    scope: Scope,
    facts: ScopeFacts,
  ): void {
    this.#evaluateCondition(node, types, scope, facts);
    for (const child of node.branches)
      this.evaluate(child, types, scope, facts);
    if (!node.component.collection) {
      this.#evaluateOwn(node, types, scope, facts);
      return;
    }
    const { data: repeat } = repeatSchema
      .strip()
      .safeParse(node.component.collection);
    if (!repeat) return;
    const scopes = attempt(() =>
      this.#evaluateRepeat(node, repeat, types, scope),
    );
    const [first, ...others] = scopes ?? [];
    const { id } = node.component;
    if (scopes && id !== undefined) facts.counts.set(id, scopes.length);
    if (!first) return;
    const inside = repeatTypes(repeat, types);
    this.#evaluateOwn(node, inside, first, facts);
    const rows: SampleRow[] = [];
    for (const other of others) {
      if (this.#rowsLeft <= 0) break;
      this.#rowsLeft -= 1;
      const row = createFacts();
      this.#evaluateOwn(node, inside, other, row);
      this.#places ??= findPlaces(this.sample);
      rows.push(toRow(row, this.#places.get(other.item) ?? null));
    }
    if (id !== undefined && rows.length > 0) facts.rows.set(id, rows);
  }

  /** What a component prints once, without its condition and collection. */
  #evaluateOwn(
    node: TreeNode,
    types: ScopeTypes,
    scope: Scope,
    facts: ScopeFacts,
  ): void {
    const { id } = node.component;
    if (node.isValid && id !== undefined) {
      const formatter =
        facts.values === this.whole.values ? this.#values : this.#rowValues;
      const { values, markup, drawing } = formatter.of(node, types, scope);
      if (values) facts.values.set(id, values);
      if (markup) facts.markup.set(id, markup);
      if (drawing !== null) facts.drawings.set(id, drawing);
    }
    // Markup is evaluated as a whole, with the blocks that it prints.
    if (node.component.type === "markup") return;
    for (const child of node.children)
      this.evaluate(child, types, scope, facts);
  }

  #evaluateCondition(
    node: TreeNode,
    types: ScopeTypes,
    scope: Scope,
    facts: ScopeFacts,
  ): void {
    const { component, path, isValid } = node;
    const { id, condition } = component;
    if (!condition || !isValid || id === undefined) return;
    attempt(() => {
      const holds = getOrAdd(this.#conditions, node, () =>
        compileLogic(condition, path, types),
      );
      facts.conditions.set(id, holds(scope));
    });
  }

  /** @returns the scopes that are printed */
  #evaluateRepeat(
    node: TreeNode,
    repeat: Repeat,
    types: ScopeTypes,
    scope: Scope,
  ): Scope[] {
    const { component, path } = node;
    const { id } = component;
    const run = getOrAdd(this.#repeaters, node, () =>
      compileRepeat(repeat, path, types),
    );
    const scopes = run(scope);
    // Rows need no counts: they are of the first element.
    if (id === undefined || this.whole.repeats.has(id)) return scopes;
    const [first] = scopes;
    this.whole.repeats.set(id, {
      ...countRepeat(repeat, path, types, scope),
      first: first ? this.#elements.of(first) : null,
    });
    return scopes;
  }
}

/** The keys that lead to each object in a sample. */
function findPlaces(sample: unknown): Map<unknown, (string | number)[]> {
  const places = new Map<unknown, (string | number)[]>();
  const visit = (value: unknown, keys: (string | number)[]) => {
    if (typeof value !== "object" || value === null) return;
    places.set(value, keys);
    if (Array.isArray(value))
      value.forEach((item, index) => visit(item, [...keys, index]));
    else
      for (const [key, child] of Object.entries(value))
        visit(child, [...keys, key]);
  };
  visit(sample, []);
  return places;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = create();
  map.set(key, made);
  return made;
}

/** Returns null for what the checker rejects and for what exceeds the limits of a document. */
function attempt<T>(evaluate: () => T): T | null {
  try {
    return evaluate();
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
 */
function countRepeat(
  repeat: Repeat,
  path: string,
  types: ScopeTypes,
  scope: Scope,
): RepeatCounts {
  const run = (part: Repeat) => compileRepeat(part, path, types)(scope);
  const { collectionId, path: list, entries, filter, groupBy } = repeat;
  const all = { collectionId, path: list, entries };
  const filtered = { ...all, filter };
  const total = run(all).length;
  const passing = filter ? run(filtered).length : total;
  const groups = groupBy ? run({ ...filtered, groupBy }).length : null;
  return { total, passing, groups };
}

/** Maximum length of one value; the editor shows no more. */
const MAX_VALUE_LENGTH = 2000;
/** Maximum length of all values together, and of all drawings, without those of rows. */
const MAX_CHARACTERS = { values: 2 * 1024 * 1024, drawings: 1024 * 1024 };
/** The same for rows. Their drawings fill a few pages. */
const MAX_ROW_CHARACTERS = { values: 512 * 1024, drawings: 64 * 1024 };
/** Maximum length of one piece of markup, which cannot be truncated. */
const MAX_MARKUP_LENGTH = 64 * 1024;

/** The printed values of a component's expressions, by the text between the braces. */
type SampleValues = Record<string, string>;

/** Writes a value, or null if it cannot be evaluated. */
type Write = (scope: Scope) => string | null;

interface Writers {
  values: ReadonlyMap<string, Write>;
  markup: ReadonlyMap<string, Write>;
  drawing: Write | null;
}

/** Evaluates each expression separately, so that one with a problem does not hide the others. */
class ValueFormatter {
  readonly #writers = new Map<TreeNode, Writers>();
  readonly #left: { values: number; drawings: number };

  constructor(
    maxCharacters: typeof MAX_CHARACTERS,
    private readonly layout: Layout,
  ) {
    this.#left = { ...maxCharacters };
  }

  /** Null when there is no value. */
  of(
    node: TreeNode,
    types: ScopeTypes,
    scope: Scope,
  ): {
    values: SampleValues | null;
    markup: SampleValues | null;
    drawing: string | null;
  } {
    const { values, markup, drawing } = getOrAdd(this.#writers, node, () =>
      compileWriters(node, types, this.layout),
    );
    return {
      values: this.#writeAll(values, scope),
      markup: this.#writeAll(markup, scope),
      drawing: drawing && this.#write(drawing, scope, "drawings"),
    };
  }

  #writeAll(
    writers: ReadonlyMap<string, Write>,
    scope: Scope,
  ): SampleValues | null {
    const written = new Map<string, string>();
    for (const [source, write] of writers) {
      const text = this.#write(write, scope, "values");
      if (text !== null) written.set(source, text);
    }
    return written.size === 0 ? null : Object.fromEntries(written);
  }

  /** Null beyond the limit. */
  #write(
    write: Write,
    scope: Scope,
    kind: "values" | "drawings",
  ): string | null {
    if (this.#left[kind] <= 0) return null;
    const text = write(scope);
    this.#left[kind] -= text?.length ?? 0;
    return this.#left[kind] >= 0 ? text : null;
  }
}

function compileWriters(
  node: TreeNode,
  types: ScopeTypes,
  layout: Layout,
): Writers {
  const { component, path } = node;
  const values = new Map<string, Write>();
  const markup = new Map<string, Write>();
  for (const expression of ownStrings(component).flatMap(findExpressions)) {
    const source = `{{ ${expression} }}`;
    const text = compileWrite(source, path, types, "plain");
    values.set(expression, (scope) => shortened(text(scope)));
    if (endsInMarkdown(source))
      markup.set(
        expression,
        limited(compileWrite(source, path, types, "html")),
      );
  }
  if (component.type === "markdown" || component.type === "html") {
    const text = compileWrite(component.value, path, types, "plain");
    const toHtml =
      component.type === "html"
        ? sanitizeMarkup
        : (source: string) => markdownToHtml(source).html;
    markup.set(
      component.value,
      limited((scope) => {
        const source = text(scope);
        return (
          source && attempt(() => toHtml(chargeMarkup(source, scope.context)))
        );
      }),
    );
  }
  if (component.type === "markup" && component.html !== undefined)
    markup.set(
      component.html,
      limited(
        compileMarkupWrite(component, path, types, {
          width: layout.getWidthAround(node),
          isHtml: layout.isHtml,
        }),
      ),
    );
  const drawing = isDrawing(component)
    ? limited(
        compileDrawing(component, path, types, layout.getWidthAround(node)),
      )
    : null;
  return { values, markup, drawing };
}

/** Writes markup with its style sheets. Its images have their own addresses, those of styles none. */
function compileMarkupWrite(
  component: ComponentOf<"markup">,
  path: string,
  types: ScopeTypes,
  { width, isHtml }: { width: number; isHtml: boolean },
): Write {
  try {
    const { html = "" } = component;
    if (parseMarkup(html, "html").problems.length > 0) return () => null;
    const render = compileOwn(component, path, types, width);
    const { base, styles } = compileStyles([component], isHtml).rulesFor("");
    const css = `${base}\n${styles}`.replace(TOKEN, "data:,");
    return (scope) =>
      attempt(() => {
        const run = new Run({ isTest: false });
        const body = render(scope, run);
        const sources = new Map(
          run.assets.references.map((reference) => [
            reference.token,
            reference.source,
          ]),
        );
        const resolved = body.replace(TOKEN, (token) =>
          escapeHtml(sources.get(token) ?? ""),
        );
        return `<style>${css}</style>${resolved}`;
      });
  } catch (error) {
    return refusedAsNone(error, () => null);
  }
}

type Drawing = ComponentOf<"chart" | "qrcode" | "barcode">;

function isDrawing(component: Component): component is Drawing {
  return ["chart", "qrcode", "barcode"].includes(component.type);
}

/** Writes the SVG of a chart or code as it is printed, or nothing where nothing is printed. */
function compileDrawing(
  drawing: Drawing,
  path: string,
  types: ScopeTypes,
  width: number,
): Write {
  try {
    const bare = { ...drawing, class: undefined, style: undefined };
    const render = compileOwn(bare, path, types, width);
    return (scope) =>
      attempt(() => {
        const run = new Run({ isTest: false, invalidCodes: "placeholder" });
        return /<svg.*<\/svg>/s.exec(render(scope, run))?.[0] ?? null;
      });
  } catch (error) {
    return refusedAsNone(error, () => null);
  }
}

/** What the output of a component depends on, besides the component and the data. */
class Layout {
  /** In CSS px. */
  readonly #width: number;
  readonly #isEmail: boolean;

  /** @param isHtml whether the document consists of markup only */
  constructor(
    { page, email }: ProjectData,
    readonly isHtml: boolean,
  ) {
    this.#isEmail = email !== undefined;
    this.#width = email
      ? (email.width ?? EMAIL_FRAME.width)
      : (attempt(() => layOutPaper(page)) ?? layOutPaper()).contentPx;
  }

  /** The width of what is around a component, in CSS px; in emails without the usual padding. */
  getWidthAround(node: TreeNode): number {
    const padding = this.#isEmail ? 2 * EMAIL_FRAME.inset.sides : 0;
    return this.#getWidth(node) - padding;
  }

  #getWidth({ parent, path }: TreeNode): number {
    if (parent === null) return this.#width;
    const width = this.#getWidth(parent);
    const { component, children } = parent;
    const isRow = component.type === "columns" || component.type === "section";
    if (!isRow || ![parent, ...children].every(({ isValid }) => isValid))
      return width;
    const components = children.map((child) => child.component);
    const index = children.findIndex((child) => path.startsWith(child.path));
    const widths = this.#isEmail
      ? columnShares(components, width).map((share) => (width * share) / 100)
      : columnWidths({ ...component, components }, width);
    return widths[index] ?? width;
  }
}

function limited(write: Write): Write {
  return (scope) => {
    const html = write(scope);
    return html !== null && html.length > MAX_MARKUP_LENGTH ? null : html;
  };
}

/** Data URLs are not truncated, because half an image is invalid. */
function shortened(value: string | null): string | null {
  return value === null || value.startsWith("data:")
    ? value
    : value.slice(0, MAX_VALUE_LENGTH);
}

function findExpressions({ source }: { source: string }): string[] {
  try {
    return splitTemplate(source).inner.map((inner) => inner.trim());
  } catch (error) {
    return refusedAsNone(error, []);
  }
}

/** A writer that omits what cannot be compiled or evaluated. */
function compileWrite(
  source: string,
  path: string,
  types: ScopeTypes,
  output: "plain" | "html",
): Write {
  try {
    const write = compileText(source, path, types);
    return (scope) => attempt(() => write(scope, output));
  } catch (error) {
    return refusedAsNone(error, () => null);
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
    const cached = this.#sizes.get(item);
    if (cached !== undefined) return cached;
    const size = JSON.stringify(item).length;
    this.#sizes.set(item, size);
    return size;
  }
}
