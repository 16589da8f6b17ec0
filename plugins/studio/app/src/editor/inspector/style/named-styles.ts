import type { Draft } from "immer";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../model/edits.js";
import type { Editor } from "../../model/editor.js";
import { at, type Entry } from "../../model/tree.js";
import { t } from "../../../messages/index.js";

/** As the validation requires, since a name becomes a class. */
const styleName = /^[A-Za-z][\w-]*$/;

/** Converts typed text to a valid name: "Big words" becomes "Big-words". */
export function toStyleName(typed: string): string {
  return typed.trimStart().replaceAll(/\s+/g, "-");
}

export function getStyleNames(component: Component): string[] {
  return component.class?.split(/\s+/).filter(Boolean) ?? [];
}

/** The components that use a named style. */
export function findStyleUsers(editor: Editor, name: string): Entry[] {
  return [...editor.tree.value.entries.values()].filter(({ component }) =>
    getStyleNames(component).includes(name),
  );
}

/** Why the name is invalid or taken; null if it can be used. */
export function findNameError(editor: Editor, name: string): string | null {
  if (!styleName.test(name)) return t("style.styleNameInvalid");
  const isTaken = Object.hasOwn(editor.definition.peek().styles ?? {}, name);
  return isTaken ? t("style.styleNameTaken") : null;
}

export function setStyles(
  editor: Editor,
  id: string,
  names: readonly string[],
): void {
  updateComponent(editor, id, t("style.changeStyles"), (draft) => {
    writeStyles(draft, names);
  });
}

/** Moves a component's own style into a new named style. */
export function createStyle(editor: Editor, entry: Entry, name: string): void {
  editor.change(t("style.createStyleName", { name }), (draft) => {
    const component = componentIn(draft, entry);
    (draft.styles ??= {})[name] = component.style ?? {};
    delete component.style;
    writeStyles(component, [...getStyleNames(component), name]);
  });
}

/** Renames the style and updates all components that use it. */
export function renameStyle(editor: Editor, from: string, to: string): void {
  const users = findStyleUsers(editor, from);
  editor.change(t("style.renameStyleFrom", { from }), (draft) => {
    const styles = Object.entries(draft.styles ?? {});
    draft.styles = Object.fromEntries(
      styles.map(([name, style]) => [name === from ? to : name, style]),
    );
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = getStyleNames(component);
      writeStyles(
        component,
        names.map((name) => (name === from ? to : name)),
      );
    }
  });
}

/** Deletes the style and removes it from all components. */
export function deleteStyle(editor: Editor, name: string): void {
  const users = findStyleUsers(editor, name);
  editor.change(t("style.deleteStyleName", { name }), (draft) => {
    if (draft.styles) Reflect.deleteProperty(draft.styles, name);
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = getStyleNames(component);
      writeStyles(
        component,
        names.filter((one) => one !== name),
      );
    }
  });
}

function writeStyles(component: Draft<Component>, names: readonly string[]) {
  if (names.length === 0) delete component.class;
  else component.class = names.join(" ");
}

function componentIn(draft: object, { path }: Entry): Draft<Component> {
  // The path comes from the tree of this definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return at(draft, path) as Draft<Component>;
}
