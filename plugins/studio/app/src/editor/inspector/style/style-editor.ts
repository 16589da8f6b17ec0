import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../model/edits.js";
import type { Editor } from "../../model/editor.js";
import type { Entry } from "../../model/tree.js";
import { describeSchemaProperty } from "../../session/descriptions.js";
import { t } from "../../../messages/index.js";

type Property = keyof Style;

/** Reads and changes a style, either of a component or a named one. */
export interface StyleEditor {
  style: Style;
  /** Undefined removes the property. */
  set: (property: Property, value: string | undefined) => void;
  /** Replaces the style as one undoable change with this name. */
  replace: (name: string, style: Style) => void;
  /** Makes the next change a separate undo step. */
  leave: () => void;
}

/** The style of one component. */
export function editComponentStyle(
  editor: Editor,
  { id, component }: Pick<Entry, "id" | "component">,
): StyleEditor {
  const style = component.style ?? {};
  const replace = (name: string, next: Style) =>
    updateComponent(
      editor,
      id,
      name,
      (draft) => {
        if (Object.keys(next).length === 0) delete draft.style;
        else draft.style = next;
      },
      `style:${id}:${name}`,
    );
  return {
    style,
    replace,
    set: (property, value) =>
      replace(
        t("style.changeProperty", {
          property: describeSchemaProperty([property]),
        }),
        withProperty(style, property, value),
      ),
    leave: () => editor.endThread(),
  };
}

/** One of the template's named styles. */
export function editNamedStyle(editor: Editor, name: string): StyleEditor {
  const style = editor.definition.value.styles?.[name] ?? {};
  const replace = (words: string, next: Style) =>
    editor.change(
      words,
      (draft) => {
        (draft.styles ??= {})[name] = next;
      },
      `style:.${name}:${words}`,
    );
  return {
    style,
    replace,
    set: (property, value) =>
      replace(
        t("style.changePropertyOfName", {
          property: describeSchemaProperty([property]),
          name,
        }),
        withProperty(style, property, value),
      ),
    leave: () => editor.endThread(),
  };
}

/** Keeps the order of properties; a new one is added last. */
function withProperty(
  style: Style,
  property: Property,
  value: string | undefined,
): Style {
  if (value !== undefined) return { ...style, [property]: value };
  const { [property]: _gone, ...rest } = style;
  return rest;
}
