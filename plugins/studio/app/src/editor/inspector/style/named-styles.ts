import type { Draft } from "immer";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../model/edits.js";
import type { Editor } from "../../model/editor.js";
import { at, type Entry } from "../../model/tree.js";

/** As the checker has it: a name becomes a class. */
const styleName = /^[A-Za-z][\w-]*$/;

/** What a person typed, as a name may be written: "Big words" is "Big-words". */
export function asStyleName(typed: string): string {
  return typed.trimStart().replaceAll(/\s+/g, "-");
}

export function stylesOf(component: Component): string[] {
  return component.class?.split(/\s+/).filter(Boolean) ?? [];
}

/** The components that use a named style. */
export function usersOf(editor: Editor, name: string): Entry[] {
  return [...editor.tree.value.entries.values()].filter(({ component }) =>
    stylesOf(component).includes(name),
  );
}

/** Why a style cannot be called so; null when it can. */
export function nameFault(editor: Editor, name: string): string | null {
  if (!styleName.test(name))
    return "Letters, digits, - and _, beginning with a letter.";
  const isTaken = Object.hasOwn(editor.definition.peek().styles ?? {}, name);
  return isTaken ? "There is a style of this name already." : null;
}

export function setStyles(
  editor: Editor,
  id: string,
  names: readonly string[],
): void {
  updateComponent(editor, id, "Change the styles", (draft) => {
    writeStyles(draft, names);
  });
}

/** Takes what a component has for itself into a style of its own that others can use too. */
export function makeStyle(editor: Editor, entry: Entry, name: string): void {
  editor.change(`Make the style ${name}`, (draft) => {
    const component = componentIn(draft, entry);
    (draft.styles ??= {})[name] = component.style ?? {};
    delete component.style;
    writeStyles(component, [...stylesOf(component), name]);
  });
}

/** The style and all that use it. */
export function renameStyle(editor: Editor, from: string, to: string): void {
  const users = usersOf(editor, from);
  editor.change(`Rename the style ${from}`, (draft) => {
    const styles = Object.entries(draft.styles ?? {});
    draft.styles = Object.fromEntries(
      styles.map(([name, style]) => [name === from ? to : name, style]),
    );
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = stylesOf(component);
      writeStyles(
        component,
        names.map((name) => (name === from ? to : name)),
      );
    }
  });
}

/** The style, and its name wherever it is used. */
export function deleteStyle(editor: Editor, name: string): void {
  const users = usersOf(editor, name);
  editor.change(`Delete the style ${name}`, (draft) => {
    if (draft.styles) Reflect.deleteProperty(draft.styles, name);
    for (const user of users) {
      const component = componentIn(draft, user);
      const names = stylesOf(component);
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
  // The tree was read off this very definition.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return at(draft, path) as Draft<Component>;
}
