import type { Signal } from "@preact/signals";
import { Link } from "../../link.js";
import { Choices } from "../../ui/choices.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import type { EditorView } from "../editor-frame.js";
import type { DraftSession } from "./draft-session.js";

interface TopBarProps {
  session: DraftSession;
  view: Signal<EditorView>;
  isPreviewOpen: Signal<boolean>;
}

const views = [
  ["design", "Design"],
  ["json", "JSON"],
] as const;

/** What the template is called, what became of the changes, and what can be done with all of it. */
export function TopBar({ session, view, isPreviewOpen }: TopBarProps) {
  const { editor } = session;
  const { templateId, name } = session.view.value;
  return (
    <header class="editor-bar">
      <Link class="crumb" to={`templates/${templateId}`}>
        <Icon name="back" size={16} />
        {name}
      </Link>
      <Button isIcon kind="quiet" label="Undo" onPress={() => editor.undo()}>
        <Icon name="undo" size={18} />
      </Button>
      <Button isIcon kind="quiet" label="Redo" onPress={() => editor.redo()}>
        <Icon name="redo" size={18} />
      </Button>
      <Choices
        legend="What to work on"
        options={views}
        value={view.value}
        onChoose={(one) => {
          view.value = one;
        }}
      />
      <Button
        pressed={isPreviewOpen.value}
        onPress={() => {
          isPreviewOpen.value = !isPreviewOpen.value;
        }}
      >
        <Icon name="eye" size={18} />
        Preview
      </Button>
    </header>
  );
}
