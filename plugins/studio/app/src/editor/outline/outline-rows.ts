import type { Component } from "../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { regionName, slotWords } from "../model/place-names.js";
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
  editor: Editor,
  turned: ReadonlySet<string>,
): OutlineRow[] {
  const tree = editor.tree.value;
  const lines = new Lines(tree, turned);
  const regions = order.filter((one) => tree.lists.has(one));
  for (const [index, region] of regions.entries())
    lines.addList(region, regionName(editor, region), {
      level: 1,
      position: index + 1,
      size: regions.length,
    });
  return lines.rows;
}

type LinePlace = Pick<OutlineRow, "level" | "position" | "size">;

/** One walk through a definition. */
class Lines {
  readonly rows: OutlineRow[] = [];

  constructor(
    readonly tree: Tree,
    readonly turned: ReadonlySet<string>,
  ) {}

  addList(key: ListKey, words: string, place: LinePlace): void {
    const components = this.tree.lists.get(key)?.components ?? [];
    const isOpen = components.length === 0 ? null : !this.turned.has(key);
    this.rows.push({
      key,
      component: null,
      list: key,
      words,
      ...place,
      isOpen,
    });
    if (isOpen) this.#addAll(components, place.level + 1, components.length);
  }

  #addAll(components: readonly Component[], level: number, size: number): void {
    for (const [index, component] of components.entries())
      this.#addOne(component, { level, position: index + 1, size });
  }

  #addOne(component: Component, place: LinePlace): void {
    const { id: key = "" } = component;
    const { own, branches, hasList } = within(component);
    const size = own.length + branches.length;
    const isOpen = size === 0 ? null : isUnfolded(component, this.turned);
    const list = hasList ? listKey(key, "components") : null;
    this.rows.push({ key, component, list, words: "", ...place, isOpen });
    if (!isOpen) return;
    const level = place.level + 1;
    this.#addAll(own, level, size);
    for (const [index, slot] of branches.entries()) {
      const position = own.length + index + 1;
      const inner = { level, position, size };
      this.addList(listKey(key, slot), slotWords[slot], inner);
    }
  }
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
