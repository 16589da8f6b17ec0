import { useComputed } from "@preact/signals";
import type {
  Component,
  Text,
} from "../../../../../../core/plugin-api/definition.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor.js";
import { updateComponent } from "../model/edits.js";
import { RichBeside } from "./rich-beside.js";
import { TypedText } from "./typed-text.js";

/** The text of a component while it is typed in the page; the component's look is around it. */
export function TextEditor({ id }: { id: string }) {
  const editor = useEditor();
  const text = useComputed(() => textIn(componentOf(editor, id)));
  const component = componentOf(editor, id, true);
  if (!component) return null;
  const leave = () => {
    editor.endThread();
    if (editor.typingIn.peek() === id) editor.typingIn.value = null;
  };
  const { type } = component;
  return (
    <TypedText
      owner={id}
      text={text}
      beside={RichBeside}
      isPlain={type === "preheader"}
      isMultiline={type !== "preheader"}
      breakSource={type === "button" ? "br" : "\n"}
      focusAt={editor.typingPoint.peek() ?? "end"}
      attributes={{
        "aria-label": catalogEntry(type).words,
        "data-placeholder": "Type, or press / for your data",
      }}
      onWrite={(written, isTyping) =>
        updateComponent(
          editor,
          id,
          "Type",
          (draft) => {
            if (hasText(draft)) draft.text = written;
          },
          isTyping ? `text:${id}` : null,
        )
      }
      onLeave={leave}
    />
  );
}

function componentOf(
  { tree }: ReturnType<typeof useEditor>,
  id: string,
  isOnce = false,
): Component | undefined {
  return (isOnce ? tree.peek() : tree.value).entries.get(id)?.component;
}

function textIn(component: Component | undefined): Text {
  return component && hasText(component) ? (component.text ?? "") : "";
}

/** One whose `text` is typed in the page. */
type WithText = { text?: Text | undefined };

function hasText(component: object): component is WithText {
  const type: unknown = Reflect.get(component, "type");
  return typeof type === "string" && TYPES.has(type);
}

const TYPES: ReadonlySet<string> = new Set([
  "heading",
  "text",
  "list-item",
  "table-cell",
  "button",
  "preheader",
]);
