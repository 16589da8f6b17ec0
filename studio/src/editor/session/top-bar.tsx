import type { Signal } from "@preact/signals";
import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import { clock } from "../../../../core/lib/clock.js";
import { askPublic, wordsOf } from "../../api.js";
import { agoOf } from "../../format.js";
import { Link, go } from "../../router.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { askFirst } from "../../ui/dialog.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { toast } from "../../ui/toast.js";
import type { Editor } from "../model/editor.js";
import type { DraftSession, SaveState } from "./draft-session.js";
import { PublishButton } from "./publish-dialog.js";
import "./session.css";
import { t } from "../../messages/index.js";

export type EditorView = "design" | "json" | "versions";

interface TopBarProps {
  session: DraftSession;
  view: Signal<EditorView>;
  isPreviewOpen: Signal<boolean>;
}

const views: [EditorView, string][] = [
  ["design", t("draft.design")],
  ["json", t("draft.json")],
  ["versions", t("common.versions")],
];

export function TopBar({ session, view, isPreviewOpen }: TopBarProps) {
  return (
    <header class="editor-bar">
      <div class="bar-start">
        <Link class="button quiet icon" to={`templates/${session.templateId}`}>
          <Icon name="back" size={18} />
          <span class="hidden-text">{t("draft.backToTemplate")}</span>
        </Link>
        <span class="bar-name">
          <TemplateName session={session} />
          <SaveStatus session={session} />
        </span>
      </div>
      <div class="bar-middle">
        <UndoButtons editor={session.editor} />
        <Choices
          legend={t("fields.view")}
          options={views}
          value={view.value}
          onChoose={(chosen) => {
            view.value = chosen;
          }}
        />
      </div>
      <div class="bar-end">
        {view.value !== "versions" && <PreviewSwitch isOpen={isPreviewOpen} />}
        <PublishButton session={session} />
        <HelpMenu editor={session.editor} view={view} />
        <SessionMenu session={session} />
      </div>
    </header>
  );
}

function PreviewSwitch({ isOpen }: { isOpen: Signal<boolean> }) {
  return (
    <span class="wide-only preview-switch">
      <Button
        kind="quiet"
        pressed={isOpen.value}
        onPress={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="eye" size={18} />
        {t("common.preview")}
      </Button>
    </span>
  );
}

export function UndoButtons({ editor }: { editor: Editor }) {
  const undoName = editor.undoName.value;
  const redoName = editor.redoName.value;
  if (!editor.mayEdit) return null;
  return (
    <span class="row travel">
      <Button
        isIcon
        kind="quiet"
        label={
          undoName === null
            ? t("common.undo")
            : t("draft.undoStep", { step: undoName })
        }
        reason={undoName === null ? t("editor.nothingToUndo") : null}
        onPress={() => editor.undo()}
      >
        <Icon name="undo" size={18} />
      </Button>
      <Button
        isIcon
        kind="quiet"
        label={
          redoName === null
            ? t("common.redo")
            : t("draft.redoStep", { step: redoName })
        }
        reason={redoName === null ? t("editor.nothingToRedo") : null}
        onPress={() => editor.redo()}
      >
        <Icon name="redo" size={18} />
      </Button>
    </span>
  );
}

const refreshIntervalMs = 20_000;

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
  const { savedAt, savedBy, published } = session.view.value;
  // A new template without content has its first version, but nobody has published anything.
  const isBlank =
    published.version === 1 &&
    session.editor.definition.value.components.length === 0;
  if (state.kind === "failed")
    return <span title={state.why}>{t("draft.notSavedRetrying")}</span>;
  if (!session.editor.mayEdit) return <>{t("draft.viewOnly")}</>;
  if (state.kind === "asking") return <>{t("draft.notSavedConflict")}</>;
  if (state.kind !== "saved") return <>{t("draft.saving")}</>;
  if (savedAt === null)
    return <>{isBlank ? t("draft.notPublishedYet") : t("draft.published")}</>;
  const title =
    savedBy === null
      ? t("draft.saved")
      : t("draft.savedByName", { name: savedBy });
  return (
    <span title={title}>{t("draft.savedAgo", { ago: agoOf(savedAt) })}</span>
  );
}

/** Renders again periodically so that "just now" does not become stale. */
function usePeriodicRender(): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = clock.every(refreshIntervalMs, () =>
      setTurn((turn) => turn + 1),
    );
    return () => timer.cancel();
  }, []);
}

const maxNameLength = 255;

/** The template's name; a click turns it into a field. */
function TemplateName({ session }: { session: DraftSession }) {
  const [isOpen, setOpen] = useState(false);
  const name = session.name.value;
  useEffect(() => {
    document.title = t("draft.namePlaten", { name });
  }, [name]);
  if (!session.editor.mayEdit) return <h1 class="template-title">{name}</h1>;
  if (isOpen)
    return <NameField session={session} onDone={() => setOpen(false)} />;
  return (
    <h1 class="template-title">
      <button
        type="button"
        title={t("common.rename")}
        onClick={() => setOpen(true)}
      >
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
      aria-label={t("draft.nameOfTemplate")}
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
    toast(t("draft.couldntRename", { error: wordsOf(error) }));
  }
}

interface HelpMenuProps {
  editor: Editor;
  view: Signal<EditorView>;
}

function HelpMenu({ editor, view }: HelpMenuProps) {
  const openTour = () => {
    // It shows what is in this view.
    view.value = "design";
    editor.dialog.value = "tour";
  };
  return (
    <ActionMenu
      label={t("editor.help")}
      icon="help"
      isQuiet
      actions={[
        { words: t("tour.name"), icon: "eye", onPress: openTour },
        {
          words: t("editor.keyboardShortcuts"),
          icon: "keyboard",
          onPress: () => {
            editor.dialog.value = "keys";
          },
        },
        {
          words: t("shell.documentation"),
          icon: "documents",
          onPress: () => window.open("../docs/", "_blank", "noopener"),
        },
      ]}
    />
  );
}

/** Less frequent actions. */
function SessionMenu({ session }: { session: DraftSession }) {
  const discard: MenuAction = {
    words: t("draft.discardChangesAction"),
    icon: "restore",
    isGrave: true,
    dialog: askFirst({
      title: t("draft.discardChangesQuestion"),
      text: t("draft.discardWarning"),
      act: t("draft.discardChangesAction"),
      keep: t("draft.keepChanges"),
      onAct: async () => {
        await session.discard();
        toast(t("draft.changesDiscarded"));
      },
    }),
  };
  const mayDiscard = session.editor.mayEdit && session.isChanged.value;
  const actions: MenuAction[] = [
    {
      words: t("common.saveAsFile"),
      icon: "download",
      onPress: () => session.download(),
    },
    {
      words: t("draft.tryItWithData"),
      icon: "documents",
      onPress: () => go(`templates/${session.templateId}`),
    },
    ...(mayDiscard ? [discard] : []),
  ];
  return (
    <ActionMenu
      label={t("draft.moreForThisTemplate")}
      isQuiet
      actions={actions}
    />
  );
}
