import type {
  Component,
  ComponentType,
} from "../../../../core/plugin-api/definition.js";
import { locale, t } from "../../messages/index.js";
import { getCatalogEntry, COMPONENT_TYPES } from "./catalog.js";
import type { Editor } from "./editor.js";
import { insertComponent, moveComponent } from "./edits.js";
import { editTable, findTablePlace } from "./table-edits.js";
import {
  type List,
  type ListKey,
  withNewIds,
  type Entry,
  listKey,
  type Spot,
  type Region,
  type Slot,
} from "./tree.js";

/** Whether a list may contain a component of this type, by the rules that the server validates. */
export function isAllowedIn(
  editor: Editor,
  type: ComponentType,
  key: ListKey,
): boolean {
  return findRefusal(editor, type, key) === null;
}

/** Returns a sentence. */
type Refusal = () => string;

/** Why a list may not contain a component of this type, for people; null if it may. */
export function findRefusal(
  editor: Editor,
  type: ComponentType,
  key: ListKey,
): Refusal | null {
  const list = editor.tree.peek().lists.get(key);
  const parent = list ? findChildOwner(editor, list) : null;
  return findRefusalInside(editor, type, { parent, list: key });
}

/** As `findRefusal`, of a component that is or would be in this list. */
export function findRefusalInside(
  editor: Editor,
  type: ComponentType,
  {
    parent,
    list: key,
  }: { parent: Pick<Component, "type"> | null; list: ListKey },
): Refusal | null {
  const { design, templateType } = editor;
  const list = editor.tree.peek().lists.get(key);
  const component = getCatalogEntry(type).words;
  if (!list) return () => t("editor.cannotAddHere", { component });
  const isEmail = templateType === "email";
  if (isEmail && design.documentOnly.includes(type))
    return () => t("edits.onlyInDocuments", { component });
  if (!isEmail && design.emailOnly.includes(type))
    return () => t("edits.onlyInEmails", { component });
  if (list.region === "body" && design.bandOnly.includes(type))
    return () => t("arrange.onlyInBand", { component });
  if (list.region !== "body" && design.bodyOnly.includes(type))
    return () => t("arrange.notInBand", { component });
  if (design.topLevel.includes(type)) {
    const isInBox =
      parent === null ||
      parent.type === "container" ||
      parent.type === "fragment";
    return isInBox && isTop(editor, list)
      ? null
      : () => t("arrange.onlyAtTop", { component });
  }
  const parents = design.requiredParents[type];
  if (parents)
    return parent !== null && parents.includes(parent.type)
      ? null
      : () =>
          t("arrange.onlyInParent", {
            component,
            parent: listTypes(editor, parents),
          });
  const children = parent && design.allowedChildren[parent.type];
  const isGroup = type === "fragment" || type === "partial";
  if (!parent || !children || isGroup || children.includes(type)) return null;
  return () =>
    t("arrange.onlyContains", {
      parent: getCatalogEntry(parent.type).words,
      component: listTypes(editor, children),
    });
}

const alternatives = new Intl.ListFormat(locale, { type: "disjunction" });

/** The names of types that this template can contain: "Columns or Section". */
function listTypes(editor: Editor, types: readonly ComponentType[]): string {
  const { documentOnly, emailOnly } = editor.design;
  const others = editor.templateType === "email" ? documentOnly : emailOnly;
  const words = types
    .filter((type) => !others.includes(type))
    .map((type) => getCatalogEntry(type).words);
  return alternatives.format(words);
}

/** The component that decides what a list may contain; groups and alternatives pass on their parent's rules. */
function findChildOwner(editor: Editor, list: List): Component | null {
  const { entries, lists } = editor.tree.peek();
  const owner = list.ownerId === null ? null : entries.get(list.ownerId);
  if (!owner) return null;
  const isPassedOn =
    list.slot !== "components" || owner.component.type === "fragment";
  if (!isPassedOn) return owner.component;
  const around = lists.get(owner.spot.list);
  return around ? findChildOwner(editor, around) : null;
}

function isTop(editor: Editor, list: List): boolean {
  if (list.region !== "body") return false;
  for (let current: List | undefined = list; current;) {
    const owner =
      current.ownerId === null
        ? null
        : editor.tree.peek().entries.get(current.ownerId);
    if (!owner) return true;
    const { type } = owner.component;
    if (type !== "container" && type !== "fragment") return false;
    current = editor.tree.peek().lists.get(owner.spot.list);
  }
  return true;
}

/**
 * The nearest place for components of these types: inside `from` when it is empty or nothing else fits beside it, else
 * after it or its nearest ancestor, else at the end of the body, footer or header. Null when no place allows them.
 */
export function nearestSpot(
  editor: Editor,
  types: readonly ComponentType[],
  from: string | null,
): Spot | null {
  const { entries, lists } = editor.tree.peek();
  const fits = (key: ListKey) =>
    types.every((type) => isAllowedIn(editor, type, key));
  const start = from === null ? undefined : entries.get(from);
  if (start) {
    const inner = lists.get(listKey(start.id, "components"));
    const isMeant = inner?.components.length === 0 || !fits(start.spot.list);
    if (inner && isMeant && fits(inner.key))
      return { list: inner.key, index: inner.components.length };
  }
  for (let next = start; next; next = findParent(editor, next)) {
    const { list, index } = next.spot;
    if (fits(list)) return { list, index: index + 1 };
  }
  const end = (["body", "footer", "header"] as const).find(fits);
  if (end === undefined) return null;
  return { list: end, index: lists.get(end)?.components.length ?? 0 };
}

/** The types that can be added here, in the order of the palette. */
export function listAddableTypes(
  editor: Editor,
  from: string | null,
): ComponentType[] {
  // Blocks are added by name.
  return COMPONENT_TYPES.filter(
    (type) => type !== "partial" && nearestSpot(editor, [type], from),
  );
}

/** Adds and selects a new component of a type. @returns null when no place allows it */
export function addNewComponent(
  editor: Editor,
  type: ComponentType,
): Component | null {
  const spot = nearestSpot(editor, [type], editor.selected.peek());
  if (!spot || !editor.mayEdit) return null;
  const selected = editor.selected.peek() ?? "";
  if (type === "table-cell" && findTablePlace(editor, selected)?.row) {
    // A single cell would make its row longer than the others.
    editTable(editor, selected, "column-right");
    return editor.selectedEntry.peek()?.component ?? null;
  }
  const made = withNewIds(getCatalogEntry(type).make(editor.templateType));
  insertComponent(editor, made, spot);
  return made;
}

function findParent(editor: Editor, { parentId }: Entry): Entry | undefined {
  return parentId === null
    ? undefined
    : editor.tree.peek().entries.get(parentId);
}

/** Among its siblings, out of its parent, or into a sibling. */
export type Way = "up" | "down" | "out" | "in";

/** Moves a component by one step. @returns a message for screen readers */
export function moveByStep(editor: Editor, id: string, way: Way): string {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry || !editor.mayEdit) return t("edits.youCanOnlyViewThis");
  const { words } = getCatalogEntry(entry.component.type);
  const spot = findSpotTowards(editor, entry, way);
  if (!spot) return t(notMoved[way], { component: words });
  moveComponent(editor, id, spot);
  return describeMove(editor, id, entry.spot.list);
}

const notMoved = {
  up: "edits.notMovedFirst",
  down: "edits.notMovedLast",
  out: "edits.notMovedOut",
  in: "edits.notMovedIn",
} as const;

function findSpotTowards(editor: Editor, entry: Entry, way: Way): Spot | null {
  const { list, index } = entry.spot;
  const length = editor.tree.peek().lists.get(list)?.components.length ?? 0;
  if (way === "up") return index > 0 ? { list, index: index - 1 } : null;
  if (way === "down")
    return index < length - 1 ? { list, index: index + 2 } : null;
  return way === "out"
    ? findSpotOutside(editor, entry)
    : findSpotInSibling(editor, entry);
}

function findSpotOutside(editor: Editor, entry: Entry): Spot | null {
  const { entries } = editor.tree.peek();
  let around = entry.parentId === null ? null : entries.get(entry.parentId);
  while (around) {
    const { list, index } = around.spot;
    if (isAllowedIn(editor, entry.component.type, list))
      return { list, index: index + 1 };
    around = around.parentId === null ? null : entries.get(around.parentId);
  }
  return null;
}

/** The end of the sibling before it, else the start of the one after it. */
function findSpotInSibling(editor: Editor, entry: Entry): Spot | null {
  const { entries, lists } = editor.tree.peek();
  const { list, index } = entry.spot;
  const siblings = lists.get(list)?.components ?? [];
  const { type } = entry.component;
  for (const [step, isEnd] of [
    [-1, true],
    [1, false],
  ] as const) {
    const neighbor = entries.get(siblings[index + step]?.id ?? "");
    const inner = neighbor && findListWithin(editor, neighbor, type);
    if (inner === undefined || inner === null) continue;
    const length = lists.get(inner)?.components.length ?? 0;
    return { list: inner, index: isEnd ? length : 0 };
  }
  return null;
}

/** The first list in a component, at any depth, that allows a type. */
function findListWithin(
  editor: Editor,
  { id, component }: Entry,
  type: Entry["component"]["type"],
): ListKey | null {
  const key = `${id}/components`;
  const list = editor.tree.peek().lists.get(key);
  // A cell with text rarely gets other components.
  const hasWords = "text" in component && component.text !== undefined;
  if (!list || hasWords) return null;
  if (isAllowedIn(editor, type, key)) return key;
  for (const child of list.components) {
    const entry = editor.tree.peek().entries.get(child.id ?? "");
    const inner = entry ? findListWithin(editor, entry, type) : null;
    if (inner) return inner;
  }
  return null;
}

export const regionWords: Readonly<Record<Region, string>> = {
  body: t("common.page"),
  header: t("common.header"),
  footer: t("common.footer"),
  firstHeader: t("edits.firstPageHeader"),
  firstFooter: t("edits.firstPageFooter"),
};

/** The name of a region; emails have no pages. */
export function getRegionName(
  { templateType }: Editor,
  region: Region,
): string {
  return templateType === "email" && region === "body"
    ? t("common.email")
    : regionWords[region];
}

/** The name of a component's branch; its children have none. */
export const slotWords: Readonly<Record<Exclude<Slot, "components">, string>> =
  {
    else: t("canvas.otherwise"),
    empty: t("edits.whenListIsEmpty"),
  };

/** "Text moved to position 3 of 5", or "Text moved into Box, position 1 of 2" from the list `from`. */
export function describeMove(
  editor: Editor,
  id: string,
  from?: ListKey,
): string {
  const place = findPlace(editor, id);
  if (!place) return "";
  return editor.tree.peek().entries.get(id)?.spot.list === from
    ? t("editor.moved", place)
    : t("editor.movedInto", place);
}

/** "Text added into Box, position 1 of 2". */
export function describeAddition(editor: Editor, id: string): string {
  const place = findPlace(editor, id);
  return place ? t("editor.added", place) : "";
}

/** "Text duplicated to position 3 of 5". */
export function describeCopy(editor: Editor, id: string): string {
  const place = findPlace(editor, id);
  return place ? t("editor.duplicated", place) : "";
}

/** A component with its place, in words. */
function findPlace(editor: Editor, id: string) {
  const { entries, lists } = editor.tree.peek();
  const entry = entries.get(id);
  const list = entry && lists.get(entry.spot.list);
  return entry && list
    ? {
        component: getCatalogEntry(entry.component.type).words,
        list: describeList(editor, list),
        index: entry.spot.index + 1,
        length: list.components.length,
      }
    : null;
}

/** The name of a list: "Footer", "Column", "Box, otherwise". */
function describeList(editor: Editor, list: List): string {
  const owner =
    list.ownerId === null
      ? undefined
      : editor.tree.peek().entries.get(list.ownerId);
  if (!owner) return getRegionName(editor, list.region);
  const { words } = getCatalogEntry(owner.component.type);
  if (list.slot === "else")
    return t("edits.otherwiseOfComponent", { component: words });
  return list.slot === "empty"
    ? t("edits.whenListOfComponentIsEmpty", { component: words })
    : words;
}
