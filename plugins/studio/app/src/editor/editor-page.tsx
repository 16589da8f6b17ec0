import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useState, useLayoutEffect } from "preact/hooks";
import type {
  DraftView,
  EditorDesign,
} from "../../../../../core/plugin-api/app-drafts.js";
import { ask, wordsOf } from "../api.js";
import { may } from "../session.js";
import { Skeleton } from "../ui/loading.js";
import { Icon, type IconName } from "../ui/icon.js";
import { lazy } from "../ui/loading.js";
import { Fault } from "../ui/notice.js";
import { Canvas } from "./canvas/canvas.js";
import { EditorLayer } from "./commands/editor-layer.js";
import { DesignPanels, type EditorSheet } from "./design-panels.js";
import "./editor.css";
import type { TypedText } from "./json/json-view.js";
import { useStoredSetting } from "./stored-setting.js";
import { EditorProvider, useEditor } from "./model/editor-context.js";
import { useEditorKeys } from "./commands/keyboard.js";
import { ConflictDialog } from "./session/conflict-dialog.js";
import { DraftSession } from "./session/draft-session.js";
import {
  OutdatedNotice,
  RoleNotice,
  TrashNotice,
  SaveErrorNotice,
} from "./session/notices.js";
import { watchDraft } from "./session/presence.js";
import { type EditorView, TopBar } from "./session/top-bar.js";
import { t } from "../messages/index.js";

/** A template in the editor; read-only for viewers. */
export function EditorPage({ id }: { id: string }) {
  const [session, setSession] = useState<DraftSession | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const open = async () => {
    setFault(null);
    try {
      const [draft, design] = await Promise.all([
        ask<DraftView>(`drafts/${id}`),
        ask<EditorDesign>("design"),
      ]);
      setSession(new DraftSession(draft, design, may("editor")));
    } catch (error) {
      setFault(wordsOf(error));
    }
  };
  useEffect(() => {
    void open();
  }, [id]);
  useEffect(() => session?.close.bind(session), [session]);
  const mayEdit = may("editor");
  useEffect(() => session?.editor.allow(mayEdit), [session, mayEdit]);
  if (session)
    return (
      <EditorProvider value={session.editor}>
        <EditorFrame session={session} />
      </EditorProvider>
    );
  return fault === null ? (
    <Skeleton />
  ) : (
    <Fault what={t("editor.couldntOpenTemplate")} why={fault} onRetry={open} />
  );
}

const JsonView = lazy(() =>
  import("./json/json-view.js").then((module) => module.JsonView),
);
const VersionsView = lazy(() =>
  import("./versions/versions-view.js").then((module) => module.VersionsView),
);
const PreviewPane = lazy(() =>
  import("./preview/preview-pane.js").then((module) => module.PreviewPane),
);

/** The editor's layout: top bar, panels, page and preview. */
function EditorFrame({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const view = useSignal<EditorView>("design");
  const isPreviewOpen = useStoredSetting("preview", false);
  const sheet = useSignal<EditorSheet | null>(null);
  const typedJson = useSignal<TypedText | null>(null);
  const onKeyDown = useEditorKeys(editor);
  useLayoutEffect(() => watchDraft(session), [session]);
  const isPreviewShown =
    view.value !== "versions" &&
    (isPreviewOpen.value || sheet.value === "preview");
  return (
    // Keys that no field handled are editor shortcuts.
    <div
      class="editor"
      data-preview={isPreviewShown || undefined}
      onKeyDown={onKeyDown}
    >
      <TopBar session={session} view={view} isPreviewOpen={isPreviewOpen} />
      <div class="editor-notices">
        <SaveErrorNotice session={session} />
        <OutdatedNotice session={session} />
        <TrashNotice session={session} />
        <RoleNotice session={session} />
      </div>
      <Middle {...{ session, view, sheet, typedJson }} />
      {isPreviewShown && (
        <PreviewPane
          session={session}
          onClose={() => {
            isPreviewOpen.value = false;
            sheet.value = null;
          }}
        />
      )}
      <ConflictDialog session={session} />
    </div>
  );
}

interface MiddleProps {
  session: DraftSession;
  view: Signal<EditorView>;
  sheet: Signal<EditorSheet | null>;
  /** Typed JSON that is not applied yet; kept while another view is shown. */
  typedJson: Signal<TypedText | null>;
}

/** The view that is chosen in the top bar. */
function Middle({ session, view, sheet, typedJson }: MiddleProps) {
  if (view.value === "json") return <JsonView typed={typedJson} />;
  if (view.value === "versions")
    return (
      <VersionsView
        session={session}
        onDone={() => {
          view.value = "design";
        }}
      />
    );
  return (
    <>
      <DesignPanels session={session} sheet={sheet}>
        <Canvas />
      </DesignPanels>
      <PhoneBar sheet={sheet} />
      <EditorLayer />
    </>
  );
}

const sheets: [EditorSheet, string, IconName][] = [
  ["parts", t("editor.componentsAndData"), "palette"],
  ["properties", t("editor.properties"), "settings"],
  ["preview", t("common.preview"), "eye"],
];

/** On phones, opens one of the panels; a second press closes it. */
function PhoneBar({ sheet }: { sheet: Signal<EditorSheet | null> }) {
  return (
    <nav class="phone-bar" aria-label={t("editor.panels")}>
      {sheets.map(([one, words, icon]) => (
        <button
          type="button"
          key={one}
          aria-pressed={sheet.value === one}
          onClick={() => {
            sheet.value = sheet.value === one ? null : one;
          }}
        >
          <Icon name={icon} />
          {words}
        </button>
      ))}
    </nav>
  );
}
