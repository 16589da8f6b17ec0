import type { Signal } from "@preact/signals";
import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import { askPublic, wordsOf } from "../../api.js";
import { agoOf } from "../../format.js";
import { Link } from "../../router.js";
import { go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { ConfirmDialog } from "../../ui/dialog.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { Editor } from "../model/editor.js";
import type { DraftSession, SaveState } from "./draft-session.js";
import { PublishButton } from "./publish-dialog.js";
import { downloadDefinition } from "./download-definition.js";
import "./session.css";

/** The view in the middle of the editor. */
export type EditorView = "design" | "json" | "versions";

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

/** The template's name, save status, views and actions. */
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
          legend="View"
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

/** Undo and redo, labeled with the step. */
function UndoButtons({ editor }: { editor: Editor }) {
  const undoName = editor.undoName.value;
  const redoName = editor.redoName.value;
  if (!editor.mayEdit) return null;
  return (
    <span class="row travel">
      <Button
        isIcon
        kind="quiet"
        label={undoName === null ? "Undo" : `Undo: ${lowerFirst(undoName)}`}
        reason={undoName === null ? "Nothing to undo" : null}
        onPress={() => editor.undo()}
      >
        <Icon name="undo" size={18} />
      </Button>
      <Button
        isIcon
        kind="quiet"
        label={redoName === null ? "Redo" : `Redo: ${lowerFirst(redoName)}`}
        reason={redoName === null ? "Nothing to redo" : null}
        onPress={() => editor.redo()}
      >
        <Icon name="redo" size={18} />
      </Button>
    </span>
  );
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

const refreshIntervalMs = 20_000;

/** Whether the latest changes are saved. */
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
  usePeriodicRender();
  const { savedAt, savedBy } = session.view.value;
  if (state.kind === "failed")
    return <span title={state.why}>Not saved. Retrying…</span>;
  if (!session.editor.mayEdit) return <>View only</>;
  if (state.kind === "asking")
    return <>Not saved: resolve the conflict first</>;
  if (state.kind !== "saved") return <>Saving…</>;
  if (savedAt === null) return <>Published</>;
  const by = savedBy === null ? "" : ` by ${savedBy}`;
  return <span title={`Saved${by}`}>Saved {agoOf(savedAt)}</span>;
}

/** Renders again periodically so that "just now" does not become stale. */
function usePeriodicRender(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(
      () => setTurn((turn) => turn + 1),
      refreshIntervalMs,
    );
    return () => clearInterval(timer);
  }, []);
}

const maxNameLength = 255;

/** The template's name; a click turns it into a field. */
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
    toast(`The template could not be renamed: ${wordsOf(error)}`);
  }
}

/** Less frequent actions. */
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
    toast("Changes discarded. You can undo this.");
  };
  return (
    <ConfirmDialog
      title="Discard the changes?"
      act="Discard changes"
      keep="Keep them"
      onAct={discard}
      onClose={onClose}
    >
      <p>
        The draft returns to the published version for everyone who edits it.
      </p>
    </ConfirmDialog>
  );
}
