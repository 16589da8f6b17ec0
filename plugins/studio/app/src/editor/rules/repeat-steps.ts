import type {
  Collection,
  Component,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";
import type { Editor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { withNewIds } from "../model/ids.js";
import { proposeName } from "./collection-name.js";
import { nameUses } from "./name-uses.js";

// What a person does to the collection of a component, each one step.

/** Repeats a component for each element of a list, or over another list. */
export function repeatOver(editor: Editor, id: string, path: string): void {
  const component = editor.tree.peek().entries.get(id)?.component;
  const old = component?.collection;
  const { schema } = editor.definition.peek();
  if (component && old && nameUses(component, schema) > 0) {
    changeRepeat(editor, id, "Repeat over another list", { path });
    return;
  }
  const collectionId = proposeName(editor, path);
  const name = `Repeat for each ${collectionId}`;
  withoutPast(editor, id, name, { ...old, collectionId, path });
}

/** The component is there once again, or not at all where its list is its only reason. */
export function repeatNoMore(editor: Editor, id: string): void {
  withoutPast(editor, id, "Do not repeat", undefined);
}

/** Changes parts of the collection; what is undefined is taken away. */
export function changeRepeat(
  editor: Editor,
  id: string,
  name: string,
  part: Partial<Collection>,
  thread: string | null = null,
): void {
  updateComponent(
    editor,
    id,
    name,
    (draft) => {
      if (!draft.collection) return;
      for (const [key, value] of Object.entries(part))
        if (value === undefined) Reflect.deleteProperty(draft.collection, key);
        else Reflect.set(draft.collection, key, value);
    },
    thread,
  );
}

/** What stands in for a component, ready to be changed: of its kind where nothing else may stand there. */
export function standIn(
  editor: Editor,
  of: Component,
  words: string,
): Component {
  const { requiredParents, topLevel } = editor.design;
  const isBound = of.type in requiredParents || topLevel.includes(of.type);
  if (!isBound) return withNewIds({ type: "text", text: words });
  if (of.type === "table-row")
    return withNewIds({
      type: "table-row",
      components: [{ type: "table-cell", text: words, colspan: cellsOf(of) }],
    });
  const made = catalogEntry(of.type).make();
  return withNewIds("text" in made ? { ...made, text: words } : made);
}

function cellsOf({ components }: Extract<Component, { type: "table-row" }>) {
  const spans = components.map((one) =>
    one.type === "table-cell" ? (one.colspan ?? 1) : 1,
  );
  return Math.max(
    1,
    spans.reduce((sum, span) => sum + span, 0),
  );
}

/**
 * A component that repeats under another name, or no more, is another component to the service, which lets nobody
 * rename a collection: others may read it by its name.
 */
function withoutPast(
  editor: Editor,
  id: string,
  name: string,
  collection: Collection | undefined,
): void {
  const old = editor.tree.peek().entries.get(id)?.component.collection;
  const isSame = old?.collectionId === collection?.collectionId;
  const next = old && !isSame ? crypto.randomUUID() : id;
  updateComponent(editor, id, name, (draft) => {
    draft.id = next;
    if (collection) draft.collection = collection;
    else delete draft.collection;
  });
  if (editor.mayEdit && editor.selected.peek() === id)
    editor.selected.value = next;
}
