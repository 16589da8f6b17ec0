import type { Style } from "../../../../../../../core/plugin-api/definition.js";
import { updateComponent } from "../../model/edits.js";
import type { Editor } from "../../model/editor.js";
import type { Entry } from "../../model/tree.js";

type Property = keyof Style;

/** A style that is being looked at and changed, wherever it stands. */
export interface StyleDesk {
  style: Style;
  /** Undefined takes the property away. */
  set: (property: Property, value: string | undefined) => void;
  /** Puts another style in its place, as one change of this name. */
  replace: (name: string, style: Style) => void;
  /** The next change is a step of its own. */
  leave: () => void;
}

/** The style of one component. */
export function componentStyle(
  editor: Editor,
  { id, component }: Pick<Entry, "id" | "component">,
): StyleDesk {
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
        `Change ${inWords(property)}`,
        withProperty(style, property, value),
      ),
    leave: () => editor.endThread(),
  };
}

/** One of the template's named styles. */
export function namedStyle(editor: Editor, name: string): StyleDesk {
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
        `Change ${inWords(property)} of ${name}`,
        withProperty(style, property, value),
      ),
    leave: () => editor.endThread(),
  };
}

/** Keys keep their order; a new one comes last. */
function withProperty(
  style: Style,
  property: Property,
  value: string | undefined,
): Style {
  if (value !== undefined) return { ...style, [property]: value };
  const { [property]: _gone, ...rest } = style;
  return rest;
}

/** Such as "font size". */
function inWords(property: Property): string {
  return property.replaceAll("-", " ");
}
