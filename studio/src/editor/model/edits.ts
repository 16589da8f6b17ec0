import type { Draft } from "immer";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import {
  withNewIds,
  at,
  BANDS,
  type BandName,
  type Entry,
  type ListKey,
  type Spot,
} from "./tree.js";
import { collectionNames, withUniqueNames } from "./rename-collections.js";
import { t } from "../../messages/index.js";

// Edits of components; each is one undo step.

/** Inserts and selects a component. */
export function insertComponent(
  editor: Editor,
  component: Component,
  spot: Spot,
): void {
  insertComponents(
    editor,
    [component],
    spot,
    t("edits.addComponent", { component: getLabel(component) }),
  );
}

/** Inserts components as one step of this name and selects them. */
export function insertComponents(
  editor: Editor,
  components: readonly Component[],
  spot: Spot,
  name: string,
): void {
  insertAtSpots(editor, [{ components, spot }], name);
}

/**
 * Inserts components at several places as one step and selects all of them.
 * @param inserts in document order
 */
export function insertAtSpots(
  editor: Editor,
  inserts: readonly { components: readonly Component[]; spot: Spot }[],
  name: string,
): void {
  if (!editor.mayEdit) return;
  editor.change(name, (draft) => {
    // From the last to the first, so that the places of the others stay valid.
    for (const { components, spot } of inserts.toReversed())
      listFor(editor, draft, spot.list)?.splice(spot.index, 0, ...components);
  });
  editor.selected.replace(
    inserts.flatMap(({ components }) => components.map(({ id = "" }) => id)),
  );
}

/** Copies with new ids and names of collections that are not taken. */
export function createCopies(
  editor: Editor,
  components: readonly Component[],
): Component[] {
  const { schema } = editor.definition.peek();
  const taken = new Set(collectionNames(listTopLevelComponents(editor)));
  return withUniqueNames(components, taken, schema).map(withNewIds);
}

function listTopLevelComponents(editor: Editor): Component[] {
  const lists = [...editor.tree.peek().lists.values()];
  return lists
    .filter(({ ownerId }) => ownerId === null)
    .flatMap(({ components }) => components);
}

/** Deletes a component with its children and selects a sibling or its parent. */
export function removeComponent(editor: Editor, id: string): void {
  const entry = editor.tree.peek().entries.get(id);
  if (entry) removeComponents(editor, [entry]);
}

/**
 * Deletes components with their children as one step and selects a sibling of the last one or its parent.
 * @param entries in document order, none inside another
 */
export function removeComponents(
  editor: Editor,
  entries: readonly Entry[],
): void {
  const last = entries.at(-1);
  if (!last || !editor.mayEdit) return;
  const { list, index } = last.spot;
  const isKept = ({ id }: Component) =>
    entries.every((entry) => entry.id !== id);
  const siblings = editor.tree.peek().lists.get(list)?.components ?? [];
  const next =
    siblings.slice(index).find(isKept) ??
    siblings.slice(0, index).findLast(isKept);
  const name =
    entries.length === 1
      ? t("edits.deleteComponent", { component: getLabel(last.component) })
      : t("edits.deleteComponents", { count: entries.length });
  editor.change(name, (draft) => {
    // From the last to the first, so that the indexes of the others stay valid.
    for (const { spot } of entries.toReversed())
      listFor(editor, draft, spot.list)?.splice(spot.index, 1);
  });
  editor.selected.value = next?.id ?? last.parentId;
}

/** Moves a component; the index counts the component at its old position. Moves into itself are ignored. */
export function moveComponent(editor: Editor, id: string, spot: Spot): void {
  const entry = editor.tree.peek().entries.get(id);
  if (entry) moveComponents(editor, [entry], spot);
}

/**
 * Moves components to one place as one step; the index counts them at their old positions. Moves into one of them are
 * ignored.
 * @param entries in document order, none inside another
 */
export function moveComponents(
  editor: Editor,
  entries: readonly Entry[],
  spot: Spot,
): void {
  const target = editor.tree.peek().lists.get(spot.list);
  const [first] = entries;
  if (!first || !target) return;
  if (entries.some(({ id }) => isWithin(editor, target.ownerId, id))) return;
  const before = entries.filter(
    (entry) => entry.spot.list === spot.list && entry.spot.index < spot.index,
  );
  const start = spot.index - before.length;
  const isThere = entries.every(
    (entry, offset) =>
      entry.spot.list === spot.list && entry.spot.index === start + offset,
  );
  if (isThere) return;
  editor.change(nameMove(entries), (draft) => {
    const destination = listFor(editor, draft, spot.list);
    const moved = entries
      .toReversed()
      .flatMap(
        (entry) =>
          listFor(editor, draft, entry.spot.list)?.splice(
            entry.spot.index,
            1,
          ) ?? [],
      );
    destination?.splice(start, 0, ...moved.toReversed());
  });
}

/** Moves each of these components past the sibling before or after it that is not one of them, as one step. */
export function shiftComponents(
  editor: Editor,
  entries: readonly Entry[],
  way: "up" | "down",
): void {
  const ids = new Set(entries.map(({ id }) => id));
  const ordered = way === "up" ? entries : entries.toReversed();
  const step = way === "up" ? -1 : 1;
  editor.change(nameMove(entries), (draft) => {
    for (const { spot } of ordered) {
      // Swaps of earlier ones have not moved it.
      const { index } = spot;
      const list = listFor(editor, draft, spot.list) ?? [];
      const [here, other] = [list[index], list[index + step]];
      if (!here || !other || ids.has(other.id ?? "")) continue;
      list[index] = other;
      list[index + step] = here;
    }
  });
}

function nameMove(entries: readonly Entry[]): string {
  const [first] = entries;
  return first && entries.length === 1
    ? t("edits.moveComponent", { component: getLabel(first.component) })
    : t("edits.moveComponents", { count: entries.length });
}

/** @param thread as in `Editor.change`; use one per property and component */
export function updateComponent(
  editor: Editor,
  id: string,
  name: string,
  recipe: (component: Draft<Component>) => void,
  thread: string | null = null,
): void {
  updateComponents(editor, [id], name, recipe, thread);
}

/** Changes several components as one step; see `updateComponent`. */
export function updateComponents(
  editor: Editor,
  ids: readonly string[],
  name: string,
  recipe: (component: Draft<Component>) => void,
  thread: string | null = null,
): void {
  const { entries } = editor.tree.peek();
  const targets = ids.flatMap((id) => entries.get(id) ?? []);
  if (targets.length === 0) return;
  editor.change(
    name,
    (draft) => {
      for (const { path } of targets)
        // The tree was built from this definition.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        recipe(at(draft, path) as Draft<Component>);
    },
    thread,
  );
}

/** Adds a header or footer with initial content, or deletes it. */
export function setBand(
  editor: Editor,
  band: BandName,
  isThere: boolean,
): void {
  const first = withNewIds(createFirstComponent(band));
  editor.change(
    isThere ? t("edits.addHeaderOrFooter") : t("edits.deleteHeaderOrFooter"),
    (draft) => {
      draft.page ??= {};
      if (isThere) draft.page[band] ??= [first];
      else delete draft.page[band];
    },
  );
}

/** Adds a header or footer and selects its first component, so that the next component is added there too. */
export function addBand(editor: Editor, band: BandName): void {
  setBand(editor, band, true);
  const [first] = editor.tree.peek().lists.get(band)?.components ?? [];
  editor.selected.value = first?.id ?? null;
}

/** An empty header or footer could not be selected or typed in. */
function createFirstComponent(band: BandName): Component {
  if (band === "footer") return getCatalogEntry("page-number").make();
  return { type: "text", text: "" };
}

/** Whether `id` is `ancestor` or inside it. */
export function isWithin(
  editor: Editor,
  id: string | null,
  ancestor: string,
): boolean {
  for (let next = id; next !== null;) {
    if (next === ancestor) return true;
    next = editor.tree.peek().entries.get(next)?.parentId ?? null;
  }
  return false;
}

export function isBandName(key: ListKey): key is BandName {
  return BANDS.some((band) => band === key);
}

/** A list of components in a draft of the definition. */
export function listFor(
  editor: Editor,
  draft: Draft<ProjectData>,
  key: ListKey,
): Draft<Component>[] | undefined {
  const list = editor.tree.peek().lists.get(key);
  if (!list) return undefined;
  const owner: unknown = at(draft, list.path.slice(0, -1));
  const last = list.path.at(-1);
  // The tree was built from this definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const holder = owner as Record<string, Draft<Component>[]>;
  // A cell with only text gets a list with its first component.
  return (holder[String(last)] ??= []);
}

function getLabel({ type }: Component): string {
  return getCatalogEntry(type).words;
}
