import type {
  ProjectData,
  Inline,
  Text,
  Component,
} from "../../../../core/plugin-api/definition.js";
import { type Props, sameJson, isObject } from "./same-json.js";
import {
  type ListKey,
  at,
  buildTree,
  BANDS,
  listKey,
  getSlots,
  type Slot,
} from "./tree.js";

interface MergeResult {
  definition: ProjectData;
  /** The values that both sides changed differently; the definition contains the chosen side. */
  conflicts: readonly Conflict[];
  /** Ids of components that one side deleted and that stay because the other side changed them. */
  restored: readonly string[];
}

/**
 * Merges two versions of one definition: components by id wherever they are, lists by order, properties one by one,
 * texts as a whole. No change of either side is lost except in conflicts. Objects that stay as they are in `mine` keep
 * their identity.
 * @param three definitions whose components all have ids
 * @param choose decides each conflict
 */
export function mergeDefinitions(
  three: ThreeWay<ProjectData>,
  choose: (conflict: Conflict) => Side = () => "mine",
): MergeResult {
  const parts = mapThreeWay(three, splitDefinition);
  const context: MergeContext = { choose, conflicts: [] };
  const { places, restored } = mergePlaces(parts, context);
  const components = mergeComponents(parts, places.keys(), context);
  const rests = mapThreeWay(parts, ({ rest }) => rest);
  const rest = mergeProps(rests, { owner: null, path: [] }, context);
  restoreBranchOwners(components, places, parts);
  const members = groupByList(places);
  const definition = assembleDefinition({
    components,
    rest: sameJson(rest, rests.mine) ? rests.mine : rest,
    before: parts.mine,
    order: (list) => {
      const held = members.get(list);
      if (!held) return [];
      const orders = mapThreeWay(parts, ({ lists }) => lists.get(list) ?? []);
      return mergeOrder(orders, held);
    },
  });
  return { definition, conflicts: context.conflicts, restored };
}

function mergeComponents(
  { base, mine, theirs }: ThreeWay<DefinitionParts>,
  ids: Iterable<string>,
  context: MergeContext,
): Map<string, Props> {
  const merged = new Map<string, Props>();
  for (const id of ids) {
    const ownProps = mine.components.get(id);
    const other = theirs.components.get(id);
    const before = base.components.get(id);
    // The common case: the other side did not change the component.
    const single =
      !ownProps || !other || sameJson(other, before) ? ownProps : null;
    if (single !== null) merged.set(id, single ?? other ?? {});
    else if (ownProps && other) {
      const three = { base: before, mine: ownProps, theirs: other };
      const props = mergeProps(three, { owner: id, path: [] }, context);
      merged.set(id, sameJson(props, ownProps) ? ownProps : props);
    }
  }
  return merged;
}

/** An `else` or `empty` branch that stays needs its condition or collection back if one side deleted it. */
function restoreBranchOwners(
  components: Map<string, Props>,
  places: ReadonlyMap<string, ListKey>,
  { base, mine, theirs }: ThreeWay<DefinitionParts>,
): void {
  const needs = { else: "condition", empty: "collection" };
  for (const list of new Set(places.values()))
    for (const [slot, name] of Object.entries(needs)) {
      const id = getListOwner(list);
      if (id === null || list !== `${id}/${slot}`) continue;
      const props = components.get(id);
      if (!props || props[name] !== undefined) continue;
      const fallback = [mine, theirs, base]
        .map((parts) => parts.components.get(id)?.[name])
        .find((value) => value !== undefined);
      components.set(id, { ...props, [name]: fallback });
    }
}

function groupByList(
  places: ReadonlyMap<string, ListKey>,
): Map<ListKey, Set<string>> {
  const members = new Map<ListKey, Set<string>>();
  for (const [id, list] of places) {
    const existing = members.get(list);
    if (existing) existing.add(id);
    else members.set(list, new Set([id]));
  }
  return members;
}

/** The id of the component that a list belongs to; null for a region of the page. */
export function getListOwner(list: ListKey): string | null {
  const end = list.lastIndexOf("/");
  return end < 0 ? null : list.slice(0, end);
}

/**
 * The merged list of each component; a component without one is deleted. A component that one side deleted and the
 * other changed stays, with everything in it.
 */
function mergePlaces(
  three: ThreeWay<DefinitionParts>,
  context: MergeContext,
): { places: Map<string, ListKey>; restored: string[] } {
  const { base, mine, theirs } = three;
  const restored = [
    ...findRestored(base, mine, theirs),
    ...findRestored(base, theirs, mine),
  ];
  const stays = new Set(restored);
  const places = new Map<string, ListKey>();
  for (const id of new Set([...mine.places.keys(), ...theirs.places.keys()])) {
    const lists = mapThreeWay(three, (parts) => parts.places.get(id));
    const isOnOneSide = lists.mine === undefined || lists.theirs === undefined;
    if (isOnOneSide && lists.base !== undefined && !stays.has(id)) continue;
    places.set(id, mergePlace(id, lists, context));
  }
  breakCycles(places, base);
  return { places, restored };
}

function mergePlace(
  id: string,
  { base, mine, theirs }: ThreeWay<ListKey | undefined>,
  context: MergeContext,
): ListKey {
  if (mine === undefined || theirs === undefined)
    return mine ?? theirs ?? "body";
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const place = { owner: id, path: ["place"] };
  return String(resolveConflict({ base, mine, theirs }, place, context));
}

/** Finds the components that `deleter` deleted but that stay because `other` changed something in them. */
function findRestored(
  base: DefinitionParts,
  deleter: DefinitionParts,
  other: DefinitionParts,
): Set<string> {
  const isGone = (id: string | null): id is string =>
    id !== null &&
    base.components.has(id) &&
    other.components.has(id) &&
    !deleter.components.has(id);
  const ownerIn = (id: string) => getListOwner(other.places.get(id) ?? "body");
  const top = (id: string): string => {
    const owner = ownerIn(id);
    return isGone(owner) ? top(owner) : id;
  };
  const touched = new Set<string>();
  for (const [id, props] of other.components) {
    const isMoved = base.places.get(id) !== other.places.get(id);
    const owner = ownerIn(id);
    if (isGone(id)) {
      if (isMoved || !sameJson(props, base.components.get(id)))
        touched.add(top(id));
    } else if (isMoved && isGone(owner)) touched.add(top(owner));
  }
  const gone = [...other.components.keys()].filter(isGone);
  return new Set(gone.filter((id) => touched.has(top(id))));
}

/** Two components moved into each other would form a cycle: one move is reverted. Orphans go to the body. */
function breakCycles(
  places: Map<string, ListKey>,
  base: DefinitionParts,
): void {
  for (const [id, list] of places) {
    const owner = getListOwner(list);
    if (owner !== null && !places.has(owner))
      places.set(id, base.places.get(id) ?? "body");
  }
  for (const id of [...places.keys()].toSorted()) {
    const before = base.places.get(id) ?? "body";
    const isMoved = places.get(id) !== before;
    if (isMoved && isInsideItself(places, id)) places.set(id, before);
  }
  for (const id of places.keys())
    if (isInsideItself(places, id)) places.set(id, "body");
}

function isInsideItself(places: Map<string, ListKey>, id: string): boolean {
  const seen = new Set<string>();
  for (let next = getListOwner(places.get(id) ?? "body"); next !== null;) {
    if (next === id) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    next = getListOwner(places.get(next) ?? "body");
  }
  return false;
}

/** Which value is taken; `both` appends one text to the other. */
export type Side = "mine" | "theirs" | "both";

/** A value that both sides changed differently. */
export interface Conflict extends ThreeWay<unknown> {
  /** Stable across merges. */
  key: string;
  /** The component's id; null for the template as a whole. */
  owner: string | null;
  /** From the owner down: `["style", "color"]`. */
  path: readonly string[];
}

interface MergeContext {
  choose: (conflict: Conflict) => Side;
  conflicts: Conflict[];
}

interface Place {
  owner: string | null;
  path: readonly string[];
}

/** Properties that are merged as a whole. */
const atomicProperties = new Set([
  "text",
  "condition",
  "filter",
  "sort",
  "groupBy",
  "collection",
  "connection",
]);

/** Merges objects property by property and everything else as a whole. */
function mergeValue(
  three: ThreeWay<unknown>,
  place: Place,
  context: MergeContext,
): unknown {
  const { base, mine, theirs } = three;
  if (sameJson(mine, theirs) || sameJson(theirs, base)) return mine;
  if (sameJson(mine, base)) return theirs;
  const name = place.path.at(-1) ?? "";
  const values = [base, mine, theirs];
  const definedValues = values.filter((value) => value !== undefined);
  const areBothDefined = mine !== undefined && theirs !== undefined;
  const keyProperty = getKeyProperty(place);
  if (
    keyProperty !== null &&
    definedValues.every((value) => Array.isArray(value))
  )
    return mergeKeyedLists(three, keyProperty, place, context);
  const isMergeable =
    definedValues.every(isObject) &&
    (name === "collection"
      ? base !== undefined && areBothDefined
      : !atomicProperties.has(name));
  if (isMergeable && (areBothDefined || name === "style"))
    return mergeProps(three, place, context);
  return resolveConflict(three, place, context);
}

/** Records the conflict and returns the chosen value. */
function resolveConflict(
  three: ThreeWay<unknown>,
  place: Place,
  context: MergeContext,
): unknown {
  const key = JSON.stringify([place.owner, ...place.path]);
  const conflict = { ...three, ...place, key };
  context.conflicts.push(conflict);
  const side = context.choose(conflict);
  if (side !== "both") return three[side];
  const { mine, theirs } = three;
  const { path } = place;
  const areTexts = isText(path, mine) && isText(path, theirs);
  return areTexts ? concatTexts(mine, theirs) : mine;
}

/** Merges objects; a missing one has no properties. */
function mergeProps(
  three: ThreeWay<unknown>,
  place: Place,
  context: MergeContext,
): Props {
  const { base, mine, theirs } = mapThreeWay(three, toProps);
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const merged = [...names].map((name) => {
    const inner = { base: base[name], mine: mine[name], theirs: theirs[name] };
    const path = [...place.path, name];
    return [name, mergeValue(inner, { ...place, path }, context)] as const;
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
}

/** The property that identifies the items of a list; null for lists that are merged as one value. */
function getKeyProperty({ owner, path }: Place): string | null {
  if (owner !== null) return null;
  if (path.length === 1 && path[0] === "schema") return "id";
  return path[0] === "schema" && path.at(-1) === "fields" ? "name" : null;
}

function mergeKeyedLists(
  three: ThreeWay<unknown>,
  keyProperty: string,
  place: Place,
  context: MergeContext,
): unknown[] {
  const lists = mapThreeWay(three, (value) => toKeyedMap(value, keyProperty));
  const { base, mine, theirs } = lists;
  const stays = (name: string) => {
    if (mine.has(name) && theirs.has(name)) return true;
    const left = mine.get(name) ?? theirs.get(name);
    return !base.has(name) || !sameJson(left, base.get(name));
  };
  const names = new Set([...mine.keys(), ...theirs.keys()].filter(stays));
  const orders = mapThreeWay(lists, (list) => [...list.keys()]);
  return mergeOrder(orders, names).map((name) => {
    const values = mapThreeWay(lists, (list) => list.get(name));
    if (values.mine === undefined || values.theirs === undefined)
      return values.mine ?? values.theirs;
    const path = [...place.path, name];
    return mergeProps(values, { ...place, path }, context);
  });
}

function toKeyedMap(value: unknown, keyProperty: string): Map<string, unknown> {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    list.map((item, index) => {
      const name = toProps(item)[keyProperty];
      return [typeof name === "string" ? name : `#${index}`, item];
    }),
  );
}

function toProps(value: unknown): Props {
  return isObject(value) ? value : {};
}

function mapThreeWay<T, U>(
  { base, mine, theirs }: ThreeWay<T>,
  change: (value: T) => U,
): ThreeWay<U> {
  return { base: change(base), mine: change(mine), theirs: change(theirs) };
}

/** A value in the common base, in the local version and in the other version. */
interface ThreeWay<T> {
  base: T;
  mine: T;
  theirs: T;
}

type Names = readonly string[];

/**
 * Merges the order of a list. The side that moved items decides about those; an inserted item stays after the item
 * before it. The result is the same for both sides.
 * @param members the items of the merged list
 */
function mergeOrder(
  { base, mine, theirs }: ThreeWay<Names>,
  members: ReadonlySet<string>,
): string[] {
  const sides = [mine, theirs].map((order) => new Set(order));
  const isShared = (name: string) =>
    members.has(name) && sides.every((side) => side.has(name));
  const shared = mergeSharedOrder(
    [mine, theirs].map((order) => order.filter(isShared)),
    base,
  );
  const runs = [mine, theirs].map((order) => groupRuns(order, shared, members));
  const merged = ["", ...shared].flatMap((name) => [
    ...(name === "" ? [] : [name]),
    ...runs
      .flatMap((run) => run.get(name) ?? [])
      .toSorted(compareFirst)
      .flat(),
  ]);
  const placed = new Set(merged);
  return [...merged, ...[...members].filter((name) => !placed.has(name))];
}

/**
 * The order of the items that both sides have: that of the side that moved something. When both did, or both moved
 * items in from another list, the names decide.
 */
function mergeSharedOrder(orders: readonly Names[], base: Names): Names {
  const baseNames = new Set(base);
  const began = base.filter((name) => orders[0]?.includes(name));
  const moved = orders.filter((order) =>
    order
      .filter((name) => baseNames.has(name))
      .some((name, index) => name !== began[index]),
  );
  const [first = []] = (moved.length > 0 ? moved : orders).toSorted(
    compareNames,
  );
  return first;
}

/** The items between the shared ones, by the shared item before them; "" at the start. */
function groupRuns(
  order: Names,
  shared: Names,
  members: ReadonlySet<string>,
): Map<string, string[][]> {
  const anchors = new Set(shared);
  const runs = new Map<string, string[][]>();
  let anchor = "";
  for (const name of order) {
    if (!members.has(name)) continue;
    if (anchors.has(name)) {
      anchor = name;
      continue;
    }
    const run = runs.get(anchor)?.[0];
    if (run) run.push(name);
    else runs.set(anchor, [[name]]);
  }
  return runs;
}

function compareFirst([name = ""]: Names, [other = ""]: Names): number {
  return name < other ? -1 : 1;
}

function compareNames(names: Names, other: Names): number {
  return names.join() < other.join() ? -1 : 1;
}

/** Whether a value is a component's text; the texts of both sides can be concatenated. */
export function isText(path: readonly string[], value: unknown): value is Text {
  if (path.length !== 1 || path[0] !== "text") return false;
  if (typeof value === "string") return true;
  return Array.isArray(value) && value.every(isInline);
}

/** Puts the second text on a new line below the first. */
function concatTexts(mine: Text, theirs: Text): Text {
  if (typeof mine === "string" && typeof theirs === "string")
    return `${mine}\n${theirs}`;
  return [...toInlines(mine), { br: true }, ...toInlines(theirs)];
}

function isInline(value: unknown): value is Inline {
  if (typeof value === "string") return true;
  return (
    isObject(value) &&
    ("text" in value || "br" in value || "pageNumber" in value)
  );
}

function toInlines(text: Text): readonly Inline[] {
  return typeof text === "string" ? [text] : text;
}

/**
 * Gives components that equal one in `before`, except for their id, that component's id. Programs write definitions
 * without ids, and new ids are assigned: without this, a merge would keep both the changed and the original component.
 */
export function matchIds(
  definition: ProjectData,
  before: ProjectData,
): ProjectData {
  const matches = findMatches(
    splitDefinition(definition).components,
    splitDefinition(before).components,
  );
  if (matches.size === 0) return definition;
  const copy = structuredClone(definition);
  for (const { id, path } of buildTree(definition).entries.values()) {
    const old = matches.get(id);
    const component = at(copy, path);
    if (old !== undefined && isComponent(component)) component.id = old;
  }
  return copy;
}

type Components = ReadonlyMap<string, Props>;

/** For each new id, the id of the first unmatched component of `before` with the same content. */
function findMatches(now: Components, before: Components): Map<string, string> {
  const free = new Map<string, string[]>();
  for (const [id, props] of before) {
    if (now.has(id)) continue;
    const content = toContentKey(props);
    free.set(content, [...(free.get(content) ?? []), id]);
  }
  const matches = new Map<string, string>();
  for (const [id, props] of now) {
    const old = before.has(id)
      ? undefined
      : free.get(toContentKey(props))?.shift();
    if (old !== undefined) matches.set(id, old);
  }
  return matches;
}

function toContentKey(props: Props): string {
  const entries = Object.entries(props).filter(([name]) => name !== "id");
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isComponent(value: unknown): value is Component {
  return isObject(value) && "type" in value;
}

/** A definition split into components without their children, and lists of component ids. */
export interface DefinitionParts {
  /** `true` takes the place of a component's child lists. */
  components: ReadonlyMap<string, Props>;
  lists: ReadonlyMap<ListKey, readonly string[]>;
  /** The list that contains each component. */
  places: ReadonlyMap<string, ListKey>;
  /** Everything except components. */
  rest: Props;
  /** The original components. */
  whole: ReadonlyMap<string, Component>;
}

export function splitDefinition(definition: ProjectData): DefinitionParts {
  const { entries, lists } = buildTree(definition);
  const all = [...entries.values()];
  return {
    components: new Map(
      all.map((entry) => [entry.id, getOwnProps(entry.component)]),
    ),
    places: new Map(all.map((entry) => [entry.id, entry.spot.list])),
    whole: new Map(all.map((entry) => [entry.id, entry.component])),
    lists: new Map(
      [...lists.values()].map(({ key, components }) => [
        key,
        components.map(({ id = "" }) => id),
      ]),
    ),
    rest: getRest(definition),
  };
}

function getOwnProps(component: Component): Props {
  const { condition, collection, ...ownProps } = component;
  const { else: otherwise, ...logic } = condition ?? {};
  const { empty, ...repeat } = collection ?? {};
  return {
    ...ownProps,
    ...("components" in ownProps &&
      ownProps.components && { components: true }),
    ...(condition && { condition: logic }),
    ...(otherwise && { else: true }),
    ...(collection && { collection: repeat }),
    ...(empty && { empty: true }),
  };
}

function getRest(definition: ProjectData): Props {
  const { page, ...rest } = without(definition, "components");
  if (!isObject(page)) return rest;
  const bands = BANDS.flatMap((name) => {
    const band = page[name];
    if (band === undefined) return [];
    return [[name, isObject(band) ? without(band, "components") : true]];
  });
  return { ...rest, page: { ...page, ...Object.fromEntries(bands) } };
}

function without(object: object, name: string): Props {
  return Object.fromEntries(
    Object.entries(object).filter(([key]) => key !== name),
  );
}

interface AssemblyInput {
  components: ReadonlyMap<string, Props>;
  rest: Props;
  order(list: ListKey): readonly string[];
  /** Unchanged components keep their identity, so that they are not drawn again. */
  before: DefinitionParts;
}

function assembleDefinition(input: AssemblyInput): ProjectData {
  const { rest } = input;
  const page = isObject(rest["page"]) ? rest["page"] : {};
  const bands = BANDS.flatMap((name) => {
    const components = buildList(input, name);
    const frame = page[name];
    if (frame === undefined && components.length === 0) return [];
    return [
      [name, isObject(frame) ? { ...frame, components } : components] as const,
    ];
  });
  const otherProperties = Object.entries(page).filter(
    ([name]) => !BANDS.some((band) => band === name),
  );
  const newPage = Object.fromEntries([...otherProperties, ...bands]);
  const hasPage = rest["page"] !== undefined || bands.length > 0;
  const components = buildList(input, "body");
  // The parts come from definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return {
    ...rest,
    components,
    ...(hasPage && { page: newPage }),
  } as unknown as ProjectData;
}

function buildList(input: AssemblyInput, key: ListKey): Component[] {
  return input.order(key).map((id) => build(input, id));
}

function build(input: AssemblyInput, id: string): Component {
  const props = input.components.get(id) ?? {};
  const lists = {
    components: buildList(input, listKey(id, "components")),
    else: buildList(input, listKey(id, "else")),
    empty: buildList(input, listKey(id, "empty")),
  };
  const before = input.before.whole.get(id);
  const isKept = input.before.components.get(id) === props;
  if (before && isKept && hasLists(before, lists)) return before;
  // The properties and lists come from a component.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return withLists(props, lists) as unknown as Component;
}

type Lists = Readonly<Record<Slot, readonly Component[]>>;

function hasLists(component: Component, lists: Lists): boolean {
  const ownLists = new Map(
    getSlots(component).map(({ slot, components }) => [slot, components]),
  );
  return (["components", "else", "empty"] as const).every((slot) => {
    const before = ownLists.get(slot) ?? [];
    const now = lists[slot];
    return (
      before.length === now.length &&
      before.every((child, index) => child === now[index])
    );
  });
}

function withLists(props: Props, lists: Lists): Props {
  const {
    components,
    else: otherwise,
    empty,
    condition,
    collection,
    ...ownProps
  } = props;
  return {
    ...ownProps,
    ...(hasList(components, lists.components) && {
      components: lists.components,
    }),
    ...(isObject(condition) && {
      condition: {
        ...condition,
        ...(hasList(otherwise, lists.else) && { else: lists.else }),
      },
    }),
    ...(isObject(collection) && {
      collection: {
        ...collection,
        ...(hasList(empty, lists.empty) && { empty: lists.empty }),
      },
    }),
  };
}

function hasList(flag: unknown, list: readonly Component[]): boolean {
  return flag === true || list.length > 0;
}
