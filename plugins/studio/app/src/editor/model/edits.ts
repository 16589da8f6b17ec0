import type { Draft } from "immer";
import type {
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import {
  withNewIds,
  at,
  BANDS,
  type BandName,
  type ListKey,
  type Spot,
} from "./tree.js";
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

/** Inserts components as one step of this name and selects the first. */
export function insertComponents(
  editor: Editor,
  components: readonly Component[],
  spot: Spot,
  name: string,
): void {
  if (!editor.mayEdit) return;
  editor.change(name, (draft) => {
    listFor(editor, draft, spot.list)?.splice(spot.index, 0, ...components);
  });
  editor.selected.value = components[0]?.id ?? null;
}

/** Deletes a component with its children and selects a sibling or its parent. */
export function removeComponent(editor: Editor, id: string): void {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return;
  const { list, index } = entry.spot;
  if (!editor.mayEdit) return;
  const siblings = editor.tree.peek().lists.get(list)?.components ?? [];
  const next = siblings[index + 1] ?? siblings[index - 1];
  editor.change(
    t("edits.deleteComponent", { component: getLabel(entry.component) }),
    (draft) => {
      listFor(editor, draft, list)?.splice(index, 1);
    },
  );
  editor.selected.value = next?.id ?? entry.parentId;
}

/** Moves a component; the index counts the component at its old position. Moves into itself are ignored. */
export function moveComponent(editor: Editor, id: string, spot: Spot): void {
  const tree = editor.tree.peek();
  const entry = tree.entries.get(id);
  const target = tree.lists.get(spot.list);
  if (!entry || !target) return;
  if (isWithin(editor, target.ownerId, id)) return;
  const isSameList = entry.spot.list === spot.list;
  const shift = isSameList && entry.spot.index < spot.index ? 1 : 0;
  if (isSameList && entry.spot.index === spot.index - shift) return;
  editor.change(
    t("edits.moveComponent", { component: getLabel(entry.component) }),
    (draft) => {
      const source = listFor(editor, draft, entry.spot.list);
      const destination = listFor(editor, draft, spot.list);
      const [moved] = source?.splice(entry.spot.index, 1) ?? [];
      if (moved) destination?.splice(spot.index - shift, 0, moved);
    },
  );
}

/**
 * Changes one component.
 * @param thread as in `Editor.change`; use one per property and component.
 */
export function updateComponent(
  editor: Editor,
  id: string,
  name: string,
  recipe: (component: Draft<Component>) => void,
  thread: string | null = null,
): void {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return;
  editor.change(
    name,
    (draft) => {
      // The tree was built from this definition.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      recipe(at(draft, entry.path) as Draft<Component>);
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
  return {
    type: "text",
    text: band === "firstFooter" ? t("common.footer") : t("common.header"),
  };
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

function listFor(
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
