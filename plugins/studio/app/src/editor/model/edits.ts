import type { Draft } from "immer";
import type {
  Component,
  ProjectData,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import {
  withNewIds,
  at,
  BANDS,
  type BandName,
  type ListKey,
  type Spot,
} from "./tree.js";

// What people do to components; each is one step of the editor.

/** Puts a component into a place and selects it. */
export function insertComponent(
  editor: Editor,
  component: Component,
  spot: Spot,
): void {
  insertComponents(editor, [component], spot, `Add ${named(component)}`);
}

/** Puts components into a place, one after the other, as one step of this name, and selects the first. */
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

/** Takes a component out, with all that it holds, and selects what stands next to it. */
export function removeComponent(editor: Editor, id: string): void {
  const entry = editor.tree.peek().entries.get(id);
  if (!entry) return;
  const { list, index } = entry.spot;
  if (!editor.mayEdit) return;
  const neighbours = editor.tree.peek().lists.get(list)?.components ?? [];
  const next = neighbours[index + 1] ?? neighbours[index - 1];
  editor.change(`Delete ${named(entry.component)}`, (draft) => {
    listFor(editor, draft, list)?.splice(index, 1);
  });
  editor.selected.value = next?.id ?? entry.parentId;
}

/** Moves a component to a place, counted before it is taken out; into itself it does not move. */
export function moveComponent(editor: Editor, id: string, spot: Spot): void {
  const tree = editor.tree.peek();
  const entry = tree.entries.get(id);
  const target = tree.lists.get(spot.list);
  if (!entry || !target) return;
  if (isWithin(editor, target.ownerId, id)) return;
  const isSameList = entry.spot.list === spot.list;
  const shift = isSameList && entry.spot.index < spot.index ? 1 : 0;
  if (isSameList && entry.spot.index === spot.index - shift) return;
  editor.change(`Move ${named(entry.component)}`, (draft) => {
    const source = listFor(editor, draft, entry.spot.list);
    const destination = listFor(editor, draft, spot.list);
    const [moved] = source?.splice(entry.spot.index, 1) ?? [];
    if (moved) destination?.splice(spot.index - shift, 0, moved);
  });
}

/**
 * Changes one component.
 * @param thread as in `Editor.change`; keep it to one property of one component.
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
      // The tree was read off this very definition.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      recipe(at(draft, entry.path) as Draft<Component>);
    },
    thread,
  );
}

/** Gives the page a header or footer, with something to begin with, or takes it away. */
export function setBand(
  editor: Editor,
  band: BandName,
  isThere: boolean,
): void {
  const first = withNewIds(firstOfBand(band));
  editor.change(
    isThere ? "Add a header or footer" : "Delete a header or footer",
    (draft) => {
      draft.page ??= {};
      if (isThere) draft.page[band] ??= [first];
      else delete draft.page[band];
    },
  );
}

/** Adds a header or footer and selects what it begins with, so that what is added next goes there as well. */
export function addBand(editor: Editor, band: BandName): void {
  setBand(editor, band, true);
  const [first] = editor.tree.peek().lists.get(band)?.components ?? [];
  editor.selected.value = first?.id ?? null;
}

/** In an empty band there would be nothing to select, to type in, and to add something beside. */
function firstOfBand(band: BandName): Component {
  if (band === "footer") return catalogEntry("page-number").make();
  return { type: "text", text: band === "firstFooter" ? "Footer" : "Header" };
}

/** Whether `id` is `ancestor` or stands within it. */
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
  // The tree was read off this very definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const holder = owner as Record<string, Draft<Component>[]>;
  // A cell that had text alone gets its list with the first component.
  return (holder[String(last)] ??= []);
}

function named(component: Component): string {
  const { words } = catalogEntry(component.type);
  return `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words.toLowerCase()}`;
}
