import type { Problem } from "../plugin-api/index.js";
import { findPosition, parseMarkup } from "./markup/parse-markup.js";
import type { Component } from "./schema/component-schema.js";
import type { ProjectData } from "./schema/definition-schema.js";
import { jsonPath, suggestion } from "./validation/problems.js";

// Partials: components that an organization keeps under a name, and that definitions use by this name. They are replaced
// by their components before a definition is checked or compiled, so that no later pass knows them.

/** The partials that a definition may use; plain data, since it passes between threads. */
export interface PartialLibrary {
  /** Of all that exist. */
  names: readonly string[];
  /** Of those that the definition uses. */
  components: Readonly<Record<string, readonly Component[]>>;
}

export const NO_PARTIALS: PartialLibrary = { names: [], components: {} };

/** Names in JSON and in expressions of a later version need no quotes. */
export const PARTIAL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const MAX_PARTIAL_NAME = 64;

interface PartialUse {
  /** Of the fragment that replaces it. */
  path: string;
  name: string;
  /** Where it is written. */
  place: Pick<Problem, "path" | "line" | "column">;
}

/** The names of the partials that a definition uses, each once. @param written any JSON value */
export function findPartialNames(written: unknown): string[] {
  const names = new Set<string>();
  visitDefinition(written, (component) => {
    if (isUse(component)) names.add(component.name);
    for (const { name } of findMarkupUses(component)) names.add(name);
    return component;
  });
  return [...names];
}

export interface ExpandedDefinition {
  /** A copy in which each use of a known partial is a fragment of its components. */
  expanded: unknown;
  uses: readonly PartialUse[];
  /** Uses of partials that do not exist. */
  problems: Problem[];
}

/**
 * Replaces partials by their components. Their ids get the id of the use as a prefix, so that they stay unique.
 * @param written any JSON value; parts with problems stay as they are
 */
export function expandPartials(
  written: unknown,
  { names, components: partials }: PartialLibrary,
): ExpandedDefinition {
  const uses: PartialUse[] = [];
  const problems: Problem[] = [];
  const index = new Set(names);
  const find = (name: string, place: PartialUse["place"]) => {
    if (Object.hasOwn(partials, name)) return partials[name];
    problems.push({
      ...place,
      code: "unknown_partial",
      message: `There is no block named ${JSON.stringify(name)} for this type of template.`,
      hint: suggestion(name, index),
    });
    return undefined;
  };
  const expandMarkup = (markup: Record<string, unknown>, path: string) => {
    if (markup["type"] === "markup" && "components" in markup)
      problems.push({
        path: `${path}.components`,
        code: "unknown_property",
        message: "Markup has no components.",
        hint: 'Write components before or after it, or a block: <template data-partial="terms"></template>.',
      });
    const markupUses = findMarkupUses(markup);
    if (markupUses.length === 0) return markup;
    const components = markupUses.map(
      ({ name, property, line, column }, at) => {
        const place = { path: `${path}.${property}`, line, column };
        // That the name is missing is a problem of the markup.
        const list = (name !== "" && find(name, place)) || [];
        uses.push({ path: `${path}.components[${at}]`, name, place });
        const { id } = markup;
        const owner = typeof id === "string" ? `${id}/${at}` : undefined;
        return {
          type: "fragment",
          components: list.map((child) => prefixIds(child, owner)),
        };
      },
    );
    return { ...markup, components };
  };
  const expanded = visitDefinition(written, (component, keys) => {
    const path = jsonPath(keys);
    if (!isUse(component)) return expandMarkup(component, path);
    const { name, ...use } = component;
    const list = find(name, { path: `${path}.name` });
    if (!list) return component;
    uses.push({ path, name, place: { path } });
    const components = list.map((child) => prefixIds(child, use.id));
    return { ...use, type: "fragment", components };
  });
  return { expanded, uses, problems };
}

/**
 * Moves the problems in partials to the places that use them, since the definition itself has no such path.
 * An id that a partial has twice because it is used twice is no problem.
 */
export function placePartialProblems(
  problems: readonly Problem[],
  uses: readonly PartialUse[],
): Problem[] {
  if (uses.length === 0) return [...problems];
  const firstUses = new Map<string, string>();
  for (const { path, name } of uses)
    if (!firstUses.has(name)) firstUses.set(name, path);
  const places = new Map(uses.map((use) => [use.path, use]));
  return problems.flatMap((problem) => {
    for (const { index } of problem.path.matchAll(/\.components(?=\[|$)/g)) {
      const path = problem.path.slice(0, index);
      const use = places.get(path);
      if (use === undefined) continue;
      const { name, place } = use;
      if (problem.code === "duplicate_id" && firstUses.get(name) !== path)
        return [];
      const at = `$${problem.path.slice(index)}`;
      const message = `In the block ${JSON.stringify(name)}, at ${at}: ${problem.message}`;
      return [{ ...problem, ...place, message }];
    }
    return [problem];
  });
}

interface Use {
  type: "partial";
  name: string;
  id?: unknown;
}

/** Whether it names a partial; one with components of its own is malformed and left to the checker. */
function isUse(
  component: Record<string, unknown>,
): component is Use & Record<string, unknown> {
  return (
    component["type"] === "partial" &&
    typeof component["name"] === "string" &&
    !("components" in component)
  );
}

/** The blocks that a markup prints, with their places in it, in the order of `Markup.partials`. */
function findMarkupUses(
  component: Record<string, unknown>,
): { name: string; property: string; line: number; column: number }[] {
  if (component["type"] !== "markup") return [];
  return (["html", "mjml"] as const).flatMap((property) => {
    const source = component[property];
    if (typeof source !== "string" || !MARKUP_USE.test(source)) return [];
    return parseMarkup(source, property).partials.map(({ name, start }) => ({
      name,
      property,
      ...findPosition(source, start),
    }));
  });
}

/** Saves parsing what prints no block. */
const MARKUP_USE = /\bdata-partial\b/i;

function prefixIds(component: Component, owner: unknown): Component {
  const copy = visitComponent(component, [], ({ id, ...rest }) =>
    typeof id === "string" && typeof owner === "string"
      ? { id: `${owner}/${id}`, ...rest }
      : rest,
  );
  // The same component with another id.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return copy as unknown as Component;
}

type Keys = readonly PropertyKey[];
type Visit = (
  component: Record<string, unknown>,
  keys: Keys,
) => Record<string, unknown>;

/** Deeper than any definition may be; the limits are reported by the checker. */
const MAX_KEYS = 256;
const BANDS = ["header", "footer", "firstHeader", "firstFooter"];

/** A copy with each component replaced by what the visitor returns, parents first; what it adds is not visited. */
function visitDefinition(written: unknown, visit: Visit): unknown {
  if (!isObject(written)) return written;
  const { page } = written;
  const copy = { ...written };
  if ("components" in copy)
    copy["components"] = visitList(copy["components"], ["components"], visit);
  if (!isObject(page)) return copy;
  const bands = BANDS.flatMap((name) => {
    const band = page[name];
    const keys = ["page", name];
    if (Array.isArray(band)) return [[name, visitList(band, keys, visit)]];
    if (!isObject(band) || !("components" in band)) return [];
    const list = visitList(band["components"], [...keys, "components"], visit);
    return [[name, { ...band, components: list }]];
  });
  return { ...copy, page: { ...page, ...Object.fromEntries(bands) } };
}

function visitList(list: unknown, keys: Keys, visit: Visit): unknown {
  if (!Array.isArray(list) || keys.length > MAX_KEYS) return list;
  return list.map((item: unknown, index) =>
    isObject(item) ? visitComponent(item, [...keys, index], visit) : item,
  );
}

function visitComponent(
  component: object,
  keys: Keys,
  visit: Visit,
): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...component };
  for (const [owner, name] of [
    ["condition", "else"],
    ["collection", "empty"],
  ] as const) {
    const branch = copy[owner];
    if (!isObject(branch) || !(name in branch)) continue;
    const list = visitList(branch[name], [...keys, owner, name], visit);
    copy[owner] = { ...branch, [name]: list };
  }
  if ("components" in copy)
    copy["components"] = visitList(
      copy["components"],
      [...keys, "components"],
      visit,
    );
  return visit(copy, keys);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A definition whose partials are replaced by their components. @param definition one that was checked with them */
export function resolvePartials(
  definition: ProjectData,
  partials: PartialLibrary,
): ProjectData {
  // A checked definition has components only where `expandPartials` looks for them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return expandPartials(definition, partials).expanded as ProjectData;
}
