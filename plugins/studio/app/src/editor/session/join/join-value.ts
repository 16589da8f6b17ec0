import { bothTexts, isText } from "./both-texts.js";
import { joinOrder, type Three } from "./join-order.js";
import { isObject, type Props, sameJson } from "./same-json.js";

/** Whose value is taken; of texts, `both` takes one after the other. */
export type Side = "mine" | "theirs" | "both";

/** Something that both have changed, each in another way. */
export interface Conflict extends Three<unknown> {
  /** The same for the same thing whenever it is joined. */
  key: string;
  /** The component's id; null for what belongs to the template as a whole. */
  owner: string | null;
  /** From the owner down: `["style", "color"]`. */
  path: readonly string[];
}

/** A join on its way: who decides, and where they had to. */
export interface Joint {
  choose: (conflict: Conflict) => Side;
  conflicts: Conflict[];
}

export interface Place {
  owner: string | null;
  path: readonly string[];
}

/** What makes sense as a whole alone. */
const whole = new Set([
  "text",
  "condition",
  "filter",
  "sort",
  "groupBy",
  "collection",
  "connection",
]);

/** Joins two changes of one value: objects property by property, the rest as a whole. */
function joinValue(three: Three<unknown>, place: Place, joint: Joint): unknown {
  const { base, mine, theirs } = three;
  if (sameJson(mine, theirs) || sameJson(theirs, base)) return mine;
  if (sameJson(mine, base)) return theirs;
  const name = place.path.at(-1) ?? "";
  const values = [base, mine, theirs];
  const known = values.filter((value) => value !== undefined);
  const isTold = mine !== undefined && theirs !== undefined;
  const naming = nameOf(place);
  if (naming !== null && known.every((value) => Array.isArray(value)))
    return joinKeyed(three, naming, place, joint);
  const isOpen =
    known.every(isObject) &&
    (name === "collection" ? base !== undefined && isTold : !whole.has(name));
  if (isOpen && (isTold || name === "style"))
    return joinProps(three, place, joint);
  return decide(three, place, joint);
}

/** What is asked, and what was said. */
export function decide(
  three: Three<unknown>,
  place: Place,
  joint: Joint,
): unknown {
  const key = JSON.stringify([place.owner, ...place.path]);
  const conflict = { ...three, ...place, key };
  joint.conflicts.push(conflict);
  const side = joint.choose(conflict);
  if (side !== "both") return three[side];
  const { mine, theirs } = three;
  const { path } = place;
  const areTexts = isText(path, mine) && isText(path, theirs);
  return areTexts ? bothTexts(mine, theirs) : mine;
}

/** Joins objects; those that are not there have no properties. */
export function joinProps(
  three: Three<unknown>,
  place: Place,
  joint: Joint,
): Props {
  const { base, mine, theirs } = mapThree(three, propsOf);
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const joined = [...names].map((name) => {
    const inner = { base: base[name], mine: mine[name], theirs: theirs[name] };
    const path = [...place.path, name];
    return [name, joinValue(inner, { ...place, path }, joint)] as const;
  });
  return Object.fromEntries(joined.filter(([, value]) => value !== undefined));
}

/** By which property the members of a list are known; null for lists that are one value. */
function nameOf({ owner, path }: Place): string | null {
  if (owner !== null) return null;
  if (path.length === 1 && path[0] === "schema") return "id";
  return path[0] === "schema" && path.at(-1) === "fields" ? "name" : null;
}

function joinKeyed(
  three: Three<unknown>,
  naming: string,
  place: Place,
  joint: Joint,
): unknown[] {
  const lists = mapThree(three, (value) => keyed(value, naming));
  const { base, mine, theirs } = lists;
  const stays = (name: string) => {
    if (mine.has(name) && theirs.has(name)) return true;
    const left = mine.get(name) ?? theirs.get(name);
    return !base.has(name) || !sameJson(left, base.get(name));
  };
  const names = new Set([...mine.keys(), ...theirs.keys()].filter(stays));
  const orders = mapThree(lists, (list) => [...list.keys()]);
  return joinOrder(orders, names).map((name) => {
    const values = mapThree(lists, (list) => list.get(name));
    if (values.mine === undefined || values.theirs === undefined)
      return values.mine ?? values.theirs;
    const path = [...place.path, name];
    return joinProps(values, { ...place, path }, joint);
  });
}

function keyed(value: unknown, naming: string): Map<string, unknown> {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return new Map(
    list.map((one, index) => {
      const name = propsOf(one)[naming];
      return [typeof name === "string" ? name : `#${index}`, one];
    }),
  );
}

function propsOf(value: unknown): Props {
  return isObject(value) ? value : {};
}

export function mapThree<T, U>(
  { base, mine, theirs }: Three<T>,
  change: (value: T) => U,
): Three<U> {
  return { base: change(base), mine: change(mine), theirs: change(theirs) };
}
