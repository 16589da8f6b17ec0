import "./session.css";
import type { Signal } from "@preact/signals";
import { Link } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import type { EditorView } from "../editor-view.js";
import type { Editor } from "../model/editor.js";
import type { DraftSession } from "./draft-session.js";
import { PublishButton } from "./publish-button.js";
import { SaveWords } from "./save-words.js";
import { SessionMenu } from "./session-menu.js";
import { TemplateName } from "./template-name.js";

interface TopBarProps {
  session: DraftSession;
  view: Signal<EditorView>;
  isPreviewOpen: Signal<boolean>;
}

const views: [EditorView, string][] = [
  ["design", "Design"],
  ["json", "JSON"],
  ["versions", "Versions"],
];

/** What the template is called, what became of the changes, and what can be done with all of it. */
export function TopBar({ session, view, isPreviewOpen }: TopBarProps) {
  const { templateId } = session.view.value;
  return (
    <header class="editor-bar">
      <div class="bar-start">
        <Link class="button quiet icon" to={`templates/${templateId}`}>
          <Icon name="back" size={18} />
          <span class="hidden-text">Back to the template</span>
        </Link>
        <span class="bar-name">
          <TemplateName session={session} />
          <SaveWords session={session} />
        </span>
      </div>
      <div class="bar-middle">
        <Travel editor={session.editor} />
        <Choices
          legend="What to work on"
          options={views}
          value={view.value}
          onChoose={(one) => {
            view.value = one;
          }}
        />
      </div>
      <div class="bar-end">
        {view.value !== "versions" && <PreviewSwitch isOpen={isPreviewOpen} />}
        <PublishButton session={session} />
        <SessionMenu session={session} />
      </div>
    </header>
  );
}

function PreviewSwitch({ isOpen }: { isOpen: Signal<boolean> }) {
  return (
    <span class="wide-only">
      <Button
        kind="quiet"
        pressed={isOpen.value}
        onPress={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="eye" size={18} />
        Preview
      </Button>
    </span>
  );
}

/** Back and forth, with what that would do. */
function Travel({ editor }: { editor: Editor }) {
  const back = editor.undoName.value;
  const forth = editor.redoName.value;
  if (!editor.mayEdit) return null;
  return (
    <span class="row travel">
      <Button
        isIcon
        kind="quiet"
        label={back === null ? "Undo" : `Undo: ${lower(back)}`}
        reason={back === null ? "Nothing to undo" : null}
        onPress={() => editor.undo()}
      >
        <Icon name="undo" size={18} />
      </Button>
      <Button
        isIcon
        kind="quiet"
        label={forth === null ? "Redo" : `Redo: ${lower(forth)}`}
        reason={forth === null ? "Nothing to redo" : null}
        onPress={() => editor.redo()}
      >
        <Icon name="redo" size={18} />
      </Button>
    </span>
  );
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
