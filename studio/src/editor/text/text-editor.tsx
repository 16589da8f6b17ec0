import { useComputed } from "@preact/signals";
import type {
  Component,
  Text,
} from "../../../../core/plugin-api/definition.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { updateComponent } from "../model/edits.js";
import { TypedText } from "./typed-text.js";
import { t } from "../../messages/index.js";

/** The component's element around the editor gives the text its style. */
export function TextEditor({ id }: { id: string }) {
  const editor = useEditor();
  const text = useComputed(() => {
    const component = editor.tree.value.entries.get(id)?.component;
    return component && hasText(component) ? (component.text ?? "") : "";
  });
  const type = editor.tree.peek().entries.get(id)?.component.type;
  if (!type) return null;
  return (
    <TypedText
      owner={id}
      text={text}
      isOnPage
      isPlain={type === "preheader"}
      isMultiline={type !== "preheader"}
      breakSource={type === "button" ? "br" : "\n"}
      focusAt={editor.typingPoint.peek() ?? "end"}
      attributes={{
        "aria-label": getCatalogEntry(type).words,
        "data-placeholder": t("text.placeholder"),
      }}
      onWrite={(written, isTyping) =>
        updateComponent(
          editor,
          id,
          t("edits.type"),
          (draft) => {
            if (hasText(draft)) draft.text = written;
          },
          isTyping ? `text:${id}` : null,
        )
      }
      onLeave={() => {
        editor.endThread();
        if (editor.typingIn.peek() === id) editor.typingIn.value = null;
      }}
    />
  );
}

/** The types whose `text` is edited in place. */
const TEXT_TYPES: ReadonlySet<Component["type"]> = new Set([
  "heading",
  "text",
  "list-item",
  "table-cell",
  "button",
  "preheader",
] as const);

function hasText(
  component: Pick<Component, "type">,
): component is Component & { text?: Text } {
  return TEXT_TYPES.has(component.type);
}
