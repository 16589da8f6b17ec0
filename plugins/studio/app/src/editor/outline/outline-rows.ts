import type { Component } from "../../../../../../core/contract/definition.js";
import { regionWords, slotWords } from "../model/place-words.js";
import {
  type ListKey,
  listKey,
  type Region,
  type Slot,
  slotsOf,
  type Tree,
} from "../model/tree.js";

/** A line of the outline: a part of the page, what stands in a component's stead, or a component. */
export interface OutlineRow {
  /** The component's id, or the key of the list. */
  key: string;
  component: Component | null;
  /** What it holds; null for what can hold nothing. */
  list: ListKey | null;
  /** Of those that are no component. */
  words: string;
  /** From 1. */
  level: number;
  /** From 1, of `size`. */
  position: number;
  size: number;
  /** Null where there is nothing to unfold. */
  isOpen: boolean | null;
}

const order: readonly Region[] = [
  "firstHeader",
  "header",
  "body",
  "firstFooter",
  "footer",
];

/**
 * The lines that are to be seen, from top to bottom.
 * @param turned keys of those that are not as they begin: rows of tables folded, all else unfolded
 */
export function outlineRows(
  tree: Tree,
  turned: ReadonlySet<string>,
): OutlineRow[] {
  const rows: OutlineRow[] = [];
  const addList = (
    key: ListKey,
    words: string,
    level: number,
    [position, size]: readonly [number, number],
  ) => {
    const components = tree.lists.get(key)?.components ?? [];
    const isOpen = components.length === 0 ? null : !turned.has(key);
    const place = { level, position, size };
    rows.push({ key, component: null, list: key, words, ...place, isOpen });
    if (isOpen) addAll(components, level + 1, 0, components.length);
  };
  const addAll = (
    components: readonly Component[],
    level: number,
    before: number,
    size: number,
  ) => {
    for (const [index, component] of components.entries())
      addOne(component, { level, position: before + index + 1, size });
  };
  const addOne = (
    component: Component,
    place: Pick<OutlineRow, "level" | "position" | "size">,
  ) => {
    const { id: key = "" } = component;
    const { own, branches, hasList } = within(component);
    const count = own.length + branches.length;
    const isOpen = count === 0 ? null : isUnfolded(component, turned);
    const list = hasList ? listKey(key, "components") : null;
    rows.push({ key, component, list, words: "", ...place, isOpen });
    if (!isOpen) return;
    addAll(own, place.level + 1, 0, count);
    for (const [index, slot] of branches.entries())
      addList(listKey(key, slot), slotWords[slot], place.level + 1, [
        own.length + index + 1,
        count,
      ]);
  };
  const regions = order.filter((one) => tree.lists.has(one));
  for (const [index, region] of regions.entries())
    addList(region, regionWords[region], 1, [index + 1, regions.length]);
  return rows;
}

/** The keys to turn so that a component can be seen. */
export function unfolding(
  tree: Tree,
  turned: ReadonlySet<string>,
  id: string,
): ReadonlySet<string> {
  const next = new Set(turned);
  for (let entry = tree.entries.get(id); entry;) {
    const { list } = entry.spot;
    const around = tree.entries.get(entry.parentId ?? "");
    const isBranch = entry.slot !== "components";
    if (isBranch) next.delete(list);
    if (around && !isUnfolded(around.component, next)) turn(next, around.id);
    entry = around;
  }
  const isSame =
    next.size === turned.size && [...next].every((one) => turned.has(one));
  return isSame ? turned : next;
}

/** The same set with a key put in or taken out. */
export function turnedOver(
  turned: ReadonlySet<string>,
  key: string,
): ReadonlySet<string> {
  const next = new Set(turned);
  turn(next, key);
  return next;
}

function turn(turned: Set<string>, key: string): void {
  if (!turned.delete(key)) turned.add(key);
}

function isUnfolded(
  { type, id = "" }: Component,
  turned: ReadonlySet<string>,
): boolean {
  return (type === "table-row") === turned.has(id);
}

function within(component: Component): {
  own: readonly Component[];
  branches: Exclude<Slot, "components">[];
  hasList: boolean;
} {
  const slots = slotsOf(component);
  const own = slots.find(({ slot }) => slot === "components");
  const branches = slots.flatMap(({ slot }) =>
    slot === "components" ? [] : [slot],
  );
  return {
    own: own?.components ?? [],
    branches,
    hasList: own !== undefined,
  };
}
