import type { Signal } from "@preact/signals";
import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import { askPublic, wordsOf } from "../../api.js";
import { agoOf } from "../../format.js";
import { Link } from "../../link.js";
import { go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { EditorView } from "../editor-view.js";
import type { Editor } from "../model/editor.js";
import type { DraftSession, SaveState } from "./draft-session.js";
import { PublishButton } from "./publish-dialog.js";
import { downloadDefinition } from "./download-definition.js";
import "./session.css";

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
          <SaveStatus session={session} />
        </span>
      </div>
      <div class="bar-middle">
        <UndoButtons editor={session.editor} />
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
function UndoButtons({ editor }: { editor: Editor }) {
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

const everyMs = 20_000;

/** What became of the latest changes, in words. */
function SaveStatus({ session }: { session: DraftSession }) {
  const state = session.state.value;
  const tone = state.kind === "failed" ? "bad" : "";
  return (
    <span class={`save-words ${tone}`} role="status">
      {state.kind === "failed" && <Icon name="warn" size={16} />}
      <SaveStatusText session={session} state={state} />
    </span>
  );
}

function SaveStatusText({
  session,
  state,
}: {
  session: DraftSession;
  state: SaveState;
}) {
  useInterval();
  const { savedAt, savedBy } = session.view.value;
  if (state.kind === "failed")
    return <span title={state.why}>Not saved. Trying again…</span>;
  if (!session.editor.mayEdit) return <>You can look, not change</>;
  if (state.kind === "asking") return <>Not saved until you choose</>;
  if (state.kind !== "saved") return <>Saving…</>;
  if (savedAt === null) return <>Published</>;
  const by = savedBy === null ? "" : ` by ${savedBy}`;
  return <span title={`Saved${by}`}>Saved {agoOf(savedAt)}</span>;
}

/** Draws again now and then, so that "just now" does not stay. */
function useInterval(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), everyMs);
    return () => clearInterval(timer);
  }, []);
}

const maxNameLength = 255;

/** The template's name, which becomes a field when it is pressed. */
function TemplateName({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  const { name } = session.view.value;
  useEffect(() => {
    document.title = `${name} · Platen`;
  }, [name]);
  if (!session.editor.mayEdit) return <h1 class="template-title">{name}</h1>;
  if (isOpen)
    return <NameField session={session} onDone={() => setOpen(false)} />;
  return (
    <h1 class="template-title">
      <button type="button" title="Rename" onClick={() => setOpen(true)}>
        {name}
      </button>
    </h1>
  );
}

interface NameFieldProps {
  session: DraftSession;
  onDone: () => void;
}

function NameField({ session, onDone }: NameFieldProps) {
  const { name } = session.view.peek();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const end = (isKept: boolean) => {
    const typed = field.current?.value.trim() ?? "";
    onDone();
    if (isKept && typed !== "" && typed !== name) void rename(session, typed);
  };
  return (
    <input
      class="input template-name-field"
      ref={field}
      aria-label="Name of the template"
      maxLength={maxNameLength}
      defaultValue={name}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") end(true);
        if (event.key === "Escape") end(false);
      }}
    />
  );
}

async function rename(session: DraftSession, name: string): Promise<void> {
  const before = session.view.peek();
  session.view.value = { ...before, name };
  try {
    await askPublic(`templates/${before.templateId}`, "PATCH", { name });
  } catch (error) {
    session.view.value = { ...session.view.peek(), name: before.name };
    toast(`The name stays as it was: ${wordsOf(error)}`);
  }
}

/** What is seldom done with a template. */
function SessionMenu({ session }: { session: DraftSession }) {
  const [isAsking, setAsking] = useState(false);
  const discard: MenuAction = {
    words: "Discard changes",
    icon: "restore",
    isGrave: true,
    onPress: () => setAsking(true),
  };
  const mayDiscard = session.editor.mayEdit && session.isChanged.value;
  const actions = [...getActions(session), ...(mayDiscard ? [discard] : [])];
  return (
    <>
      <ActionMenu label="More for this template" isQuiet actions={actions} />
      {isAsking && (
        <DiscardDialog session={session} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

function getActions(session: DraftSession): MenuAction[] {
  const { templateId, name } = session.view.value;
  return [
    {
      words: "Save as a file",
      icon: "download",
      onPress: () => downloadDefinition(name, session.editor.definition.peek()),
    },
    {
      words: "Try it with data",
      icon: "documents",
      onPress: () => go(`templates/${templateId}`),
    },
  ];
}

interface DiscardDialogProps {
  session: DraftSession;
  onClose: () => void;
}

function DiscardDialog({ session, onClose }: DiscardDialogProps) {
  const discard = async () => {
    await session.discard();
    toast("Back to what is published. Undo brings the changes back.");
  };
  return (
    <AskFirst
      title="Discard the changes?"
      act="Discard changes"
      keep="Keep them"
      onAct={discard}
      onClose={onClose}
    >
      <p>
        The template goes back to what is published, for everyone who works on
        it.
      </p>
    </AskFirst>
  );
}
