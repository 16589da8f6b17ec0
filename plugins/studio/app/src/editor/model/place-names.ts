import { getCatalogEntry } from "./catalog.js";
import type { Editor } from "./editor.js";
import type { List, ListKey, Region, Slot } from "./tree.js";
import { t } from "../../messages/index.js";

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

/** Describes where a component was moved: "to position 3 of 5" or "into Box, position 1 of 2". */
export function placeWords(editor: Editor, id: string, from?: ListKey): string {
  const { entries, lists } = editor.tree.peek();
  const entry = entries.get(id);
  const list = entry && lists.get(entry.spot.list);
  if (!entry || !list) return "";
  const position = t("edits.positionIndexOfLength", {
    index: entry.spot.index + 1,
    length: list.components.length,
  });
  return list.key === from
    ? t("edits.toPosition", { position })
    : t("edits.intoListPosition", {
        list: describeList(editor, list),
        position,
      });
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
