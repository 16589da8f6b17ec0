import type {
  Component,
  Text,
} from "../../../../core/plugin-api/definition.js";
import { getItemName } from "../canvas/views/component-text.js";
import { findBlock } from "../model/blocks.js";
import { getCatalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { getRegionName, slotWords } from "../model/placement.js";
import {
  type ListKey,
  listKey,
  type Region,
  type Slot,
  getSlots,
  type Tree,
  createComponentFinder,
} from "../model/tree.js";
import { getChipLabel } from "../text/chip.js";
import { parseTemplate } from "../text/template.js";
import { t } from "../../messages/index.js";

/** A row of the outline: a component, a region of the page, or the alternative of a component. */
export interface OutlineRow {
  /** The component's id, or the key of the list. */
  key: string;
  component: Component | null;
  /** The list of its children; null if it cannot have any. */
  list: ListKey | null;
  /** The label of a row that is not a component. */
  words: string;
  /** From 1. */
  level: number;
  /** From 1, of `size`. */
  position: number;
  size: number;
  /** Null if it has no children. */
  isOpen: boolean | null;
}

const REGION_ORDER: readonly Region[] = [
  "firstHeader",
  "header",
  "body",
  "firstFooter",
  "footer",
];

/**
 * The visible rows, from top to bottom.
 * @param toggled keys of the rows that are not in their initial state: table rows collapsed, all others expanded
 */
export function getOutlineRows(
  editor: Editor,
  toggled: ReadonlySet<string>,
): OutlineRow[] {
  const tree = editor.tree.value;
  const collector = new RowCollector(tree, toggled);
  const regions = REGION_ORDER.filter((region) => tree.lists.has(region));
  for (const [index, region] of regions.entries())
    collector.addList(region, getRegionName(editor, region), {
      level: 1,
      position: index + 1,
      size: regions.length,
    });
  return collector.rows;
}

type RowPosition = Pick<OutlineRow, "level" | "position" | "size">;

class RowCollector {
  readonly rows: OutlineRow[] = [];

  constructor(
    readonly tree: Tree,
    readonly toggled: ReadonlySet<string>,
  ) {}

  addList(key: ListKey, words: string, place: RowPosition): void {
    const components = this.tree.lists.get(key)?.components ?? [];
    const isOpen = components.length === 0 ? null : !this.toggled.has(key);
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

  #addOne(component: Component, place: RowPosition): void {
    const { id: key = "" } = component;
    const {
      ownComponents: children,
      branches,
      hasList,
    } = getChildren(component);
    const size = children.length + branches.length;
    const isOpen = size === 0 ? null : isExpanded(component, this.toggled);
    const list = hasList ? listKey(key, "components") : null;
    this.rows.push({ key, component, list, words: "", ...place, isOpen });
    if (!isOpen) return;
    const level = place.level + 1;
    this.#addAll(children, level, size);
    for (const [index, slot] of branches.entries()) {
      const position = children.length + index + 1;
      const inner = { level, position, size };
      this.addList(listKey(key, slot), slotWords[slot], inner);
    }
  }
}

/** The toggled keys with which a component's row is visible; the same set if it already is. */
export function expandTo(
  tree: Tree,
  toggled: ReadonlySet<string>,
  id: string,
): ReadonlySet<string> {
  const next = new Set(toggled);
  for (let entry = tree.entries.get(id); entry;) {
    const { list } = entry.spot;
    const around = tree.entries.get(entry.parentId ?? "");
    const isBranch = entry.slot !== "components";
    if (isBranch) next.delete(list);
    if (around && !isExpanded(around.component, next))
      toggleIn(next, around.id);
    entry = around;
  }
  const isSame =
    next.size === toggled.size && [...next].every((key) => toggled.has(key));
  return isSame ? toggled : next;
}

/** A copy of the set with a key added or removed. */
export function toggleKey(
  toggled: ReadonlySet<string>,
  key: string,
): ReadonlySet<string> {
  const next = new Set(toggled);
  toggleIn(next, key);
  return next;
}

function toggleIn(toggled: Set<string>, key: string): void {
  if (!toggled.delete(key)) toggled.add(key);
}

function isExpanded(
  { type, id = "" }: Component,
  toggled: ReadonlySet<string>,
): boolean {
  return (type === "table-row") === toggled.has(id);
}

function getChildren(component: Component): {
  ownComponents: readonly Component[];
  branches: Exclude<Slot, "components">[];
  hasList: boolean;
} {
  const slots = getSlots(component);
  const ownSlot = slots.find(({ slot }) => slot === "components");
  const branches = slots.flatMap(({ slot }) =>
    slot === "components" ? [] : [slot],
  );
  return {
    ownComponents: ownSlot?.components ?? [],
    branches,
    hasList: ownSlot !== undefined,
  };
}

const MAX_TEXT_LENGTH = 60;

/** A component's text with its variables by name; empty for a component without text. */
export function getRowText(editor: Editor, component: Component): string {
  const { type, id = null } = component;
  if (type === "table-row")
    return shorten(
      component.components.map((cell) => getRowText(editor, cell)).join(" · "),
    );
  if (type === "image")
    return getText(editor, id, component.alt || component.src);
  if (type === "sign-field") return component.name;
  if (type === "partial")
    return findBlock(editor, component.name)?.title ?? component.name;
  if (type === "page-number") return component.format ?? "";
  if ("value" in component) return getText(editor, id, component.value);
  return "text" in component ? getText(editor, id, component.text) : "";
}

/** Distinguishes a component without text from others of its type: its named styles, or its height. */
export function getRowDetail(component: Component): string {
  return component.type === "spacer"
    ? component.height
    : (component.class ?? "");
}

/** Its collection and condition; empty for most components. */
export function getRowNote({ collection, condition }: Component): string {
  const repeats =
    collection &&
    t("editor.eachCollectionId", { collectionId: getItemName(collection) });
  return [repeats, condition && t("canvas.ifShort")]
    .filter(Boolean)
    .join(" · ");
}

/** The accessible name of a row, which contains its visible text. */
export function getRowLabel(editor: Editor, component: Component): string {
  return [
    getCatalogEntry(component.type).words,
    getRowText(editor, component) || getRowDetail(component),
    getRowNote(component),
  ]
    .filter(Boolean)
    .join(", ");
}

function getText(
  editor: Editor,
  owner: string | null,
  text: Text | undefined,
): string {
  const inlines = typeof text === "string" ? [text] : (text ?? []);
  const words = inlines.map((inline) => {
    if (typeof inline === "string")
      return getTemplateText(editor, owner, inline);
    return "text" in inline ? getTemplateText(editor, owner, inline.text) : " ";
  });
  return shorten(words.join(""));
}

function getTemplateText(
  editor: Editor,
  owner: string | null,
  source: string,
): string {
  const words = parseTemplate(source).map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "chip")
      return getChipLabel(editor, owner, part.source).label;
    return " ";
  });
  return words.join("");
}

function shorten(words: string): string {
  const plain = words.replaceAll(/\s+/g, " ").trim();
  return plain.length > MAX_TEXT_LENGTH
    ? `${plain.slice(0, MAX_TEXT_LENGTH - 1)}…`
    : plain;
}

/** The first problem that the checker found in each component, by component id. */
export function getProblems(editor: Editor): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  const problems = editor.facts.value?.problems ?? [];
  if (problems.length === 0) return marks;
  // `peek`: the problems belong to the definition that was checked, not to the edits since.
  const findComponent = createComponentFinder(editor.tree.peek());
  for (const { path, message } of problems) {
    const id = findComponent(path);
    if (id !== null && !marks.has(id)) marks.set(id, message);
  }
  return marks;
}
