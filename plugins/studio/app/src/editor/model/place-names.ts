import { catalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import type { List, ListKey, Region, Slot } from "./tree.js";

export const regionWords: Readonly<Record<Region, string>> = {
  body: "Page",
  header: "Header",
  footer: "Footer",
  firstHeader: "First page header",
  firstFooter: "First page footer",
};

/** What a part of this template is called; emails have no pages. */
export function regionName({ templateType }: Editor, region: Region): string {
  return templateType === "email" && region === "body"
    ? "Email"
    : regionWords[region];
}

/** What a branch of a component is called; its components themselves have no words. */
export const slotWords: Readonly<Record<Exclude<Slot, "components">, string>> =
  {
    else: "Otherwise",
    empty: "When the list is empty",
  };

/** Where a component is: "to position 3 of 5", and where it came from another list, into what. */
export function placeWords(editor: Editor, id: string, from?: ListKey): string {
  const { entries, lists } = editor.tree.peek();
  const entry = entries.get(id);
  const list = entry && lists.get(entry.spot.list);
  if (!entry || !list) return "";
  const position = `position ${entry.spot.index + 1} of ${list.components.length}`;
  return list.key === from
    ? `to ${position}`
    : `into ${listWords(editor, list)}, ${position}`;
}

/** What a list is, in words: "Footer", "Column", "Box, otherwise". */
function listWords(editor: Editor, list: List): string {
  const owner =
    list.ownerId === null
      ? undefined
      : editor.tree.peek().entries.get(list.ownerId);
  if (!owner) return regionName(editor, list.region);
  const { words } = catalogEntry(owner.component.type);
  return list.slot === null || list.slot === "components"
    ? words
    : `${words}, ${slotWords[list.slot].toLowerCase()}`;
}
