import type {
  Component,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import type { Editor } from "./editor.js";
import type { List, ListKey } from "./tree.js";

/** Whether a component of this type may stand in a list; the same rules as the checker's, from the service. */
export function mayStand(
  editor: Editor,
  type: ComponentType,
  key: ListKey,
): boolean {
  const list = editor.tree.peek().lists.get(key);
  if (!list) return false;
  const { design, templateType } = editor;
  const isEmail = templateType === "email";
  if (isEmail && design.documentOnly.includes(type)) return false;
  if (!isEmail && design.emailOnly.includes(type)) return false;
  const { bandOnly, bodyOnly } = design;
  const elsewhere = list.region === "body" ? bandOnly : bodyOnly;
  if (elsewhere.includes(type)) return false;
  const parent = parentOf(editor, list);
  if (design.topLevel.includes(type)) return isTop(editor, list);
  const parents = design.requiredParents[type];
  if (parents) return parent !== null && parents.includes(parent.type);
  const children = parent && design.allowedChildren[parent.type];
  return !children || type === "fragment" || children.includes(type);
}

/** The component whose child a list's member is; groups pass on what is around them, as stand-ins do. */
function parentOf(editor: Editor, list: List): Component | null {
  const { entries, lists } = editor.tree.peek();
  const owner = list.ownerId === null ? null : entries.get(list.ownerId);
  if (!owner) return null;
  const isPassedOn =
    list.slot !== "components" || owner.component.type === "fragment";
  if (!isPassedOn) return owner.component;
  const around = lists.get(owner.spot.list);
  return around ? parentOf(editor, around) : null;
}

function isTop(editor: Editor, list: List): boolean {
  if (list.region !== "body") return false;
  for (let one: List | undefined = list; one;) {
    const owner =
      one.ownerId === null ? null : editor.tree.peek().entries.get(one.ownerId);
    if (!owner) return true;
    const { type } = owner.component;
    if (type !== "container" && type !== "fragment") return false;
    one = editor.tree.peek().lists.get(owner.spot.list);
  }
  return true;
}
