import type { DraftView } from "../../../core/templates/drafts/views.js";
import type { EditorDesign } from "../../../core/compiler/views.js";
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState, useLayoutEffect } from "preact/hooks";
import { ask, wordsOf } from "../api.js";
import { t } from "../messages/index.js";
import { place } from "../router.js";
import { may, useOnReturn } from "../session.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Skeleton, lazy } from "../ui/loading.js";
import { Fault } from "../ui/notice.js";
import { Crumb, PageTitle } from "../ui/page-title.js";
import { showBlocks } from "./blocks/block-panel.js";
import { Canvas } from "./canvas/canvas.js";
import { AddDialog } from "./commands/add-dialog.js";
import { ContextMenu, useContextMenu } from "./commands/context-menu.js";
import { useEditorKeys, KeysDialog } from "./commands/keyboard.js";
import { GestureLayer } from "./drag/drag.js";
import { useGestures } from "./drag/use-gestures.js";
import "./editor.css";
import { Inspector } from "./inspector/inspector.js";
import type { TypedText } from "./json/json-view.js";
import { EditorProvider, useEditor } from "./model/editor-context.js";
import { Palette } from "./palette/palette.js";
import { PanelTabs } from "./panel-tabs.js";
import { ConflictDialog } from "./session/conflict-dialog.js";
import { DraftSession } from "./session/draft-session.js";
import {
  OutdatedNotice,
  RoleNotice,
  TrashNotice,
  SaveErrorNotice,
  TourOffer,
} from "./session/notices.js";
import { watchDraft } from "./session/presence.js";
import { type EditorView, TopBar } from "./session/top-bar.js";
import { useStoredSetting } from "./stored-setting.js";

/** Read-only for viewers. */
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
  const loadEditorBlocks = () => {
    if (session) void showBlocks(session.editor);
  };
  useEffect(loadEditorBlocks, [session]);
  useOnReturn(loadEditorBlocks);
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
    <div class="main">
      <Crumb to="templates">{t("shell.templates")}</Crumb>
      <PageTitle title={t("common.template")} />
      <Fault
        what={t("editor.couldntOpenTemplate")}
        why={fault}
        onRetry={open}
      />
    </div>
  );
}

const JsonView = lazy(
  () => import("./json/json-view.js"),
  (module) => module.JsonView,
);
const VersionsView = lazy(
  () => import("./versions/versions-view.js"),
  (module) => module.VersionsView,
);
const PreviewPane = lazy(
  () => import("./preview/preview-pane.js"),
  (module) => module.PreviewPane,
  ({ children }) => <div class="preview is-loading">{children}</div>,
);

function EditorFrame({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const view = useSignal<EditorView>("design");
  const isPreviewOpen = useStoredSetting("preview", false);
  const sheet = useSignal<EditorSheet | null>(null);
  const typedJson = useSignal<TypedText | null>(null);
  const onKeyDown = useEditorKeys(editor);
  useLayoutEffect(() => watchDraft(session), [session]);
  useSignalEffect(() => {
    if (editor.shownPart.value !== null) sheet.value = "properties";
  });
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
      {editor.dialog.value === "keys" && (
        <KeysDialog
          onClose={() => {
            editor.dialog.value = null;
          }}
        />
      )}
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
  const editor = useEditor();
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
      <DesignPanels sheet={sheet}>
        <Canvas />
      </DesignPanels>
      <PhoneBar sheet={sheet} />
      <EditorLayer />
      {editor.samplePlace.value && (
        <SampleDialog
          session={session}
          onClose={() => {
            editor.samplePlace.value = null;
          }}
        />
      )}
    </>
  );
}

const sheets: [EditorSheet, string, IconName][] = [
  ["parts", t("editor.componentsAndData"), "palette"],
  ["properties", t("editor.properties"), "settings"],
  ["preview", t("common.preview"), "eye"],
];

/** On phones, opens one of the panels; a second press closes it. */
export function PhoneBar({
  sheet,
  withPreview = true,
}: {
  sheet: Signal<EditorSheet | null>;
  withPreview?: boolean;
}) {
  const shownSheets = sheets.filter(
    ([key]) => withPreview || key !== "preview",
  );
  return (
    <nav class="phone-bar" aria-label={t("editor.panels")}>
      {shownSheets.map(([key, words, icon]) => (
        <button
          type="button"
          key={key}
          aria-pressed={sheet.value === key}
          onClick={() => {
            sheet.value = sheet.value === key ? null : key;
          }}
        >
          <Icon name={icon} />
          {words}
        </button>
      ))}
    </nav>
  );
}

/** Renders above the editor: its dialogs, the drag preview, and announcements for screen readers. */
export function EditorLayer() {
  const editor = useEditor();
  useGestures(editor);
  useContextMenu(editor);
  const close = () => {
    editor.dialog.value = null;
  };
  return (
    <>
      <p class="hidden-text" role="status" aria-label={t("editor.lastAction")}>
        {editor.announced.value}
      </p>
      <GestureLayer />
      <ContextMenu />
      {editor.dialog.value === "add" && <AddDialog onClose={close} />}
      {editor.dialog.value === "tour" && <Tour onClose={close} />}
    </>
  );
}

const Tour = lazy(
  () => import("./tour/tour.js"),
  (module) => module.Tour,
);

const SampleDialog = lazy(
  () => import("./fields/sample-dialog.js"),
  (module) => module.SampleDialog,
);
const Outline = lazy(
  () => import("./outline/outline.js"),
  (module) => module.Outline,
);
const DataPanel = lazy(
  () => import("./fields/data-panel.js"),
  (module) => module.DataPanel,
);

/** The panel that covers the page on phones. */
export type EditorSheet = "parts" | "properties" | "preview";

type LeftTab = "add" | "outline" | "data";

const leftTabs = [
  ["add", t("editor.addTab"), "palette"],
  ["outline", t("editor.outline"), "outline"],
  ["data", t("common.data"), "data"],
] as const;

interface DesignPanelsProps {
  sheet: Signal<EditorSheet | null>;
  /** The page between the panels. */
  children: ComponentChildren;
}

function DesignPanels({ sheet, children }: DesignPanelsProps) {
  const requestedPanel = place.value.searchParams.get("panel");
  const left = useSignal<LeftTab>(
    leftTabs.find(([key]) => key === requestedPanel)?.[0] ?? "add",
  );
  const isOpen = (key: EditorSheet) => sheet.value === key;
  return (
    <>
      <aside
        class={`editor-left ${isOpen("parts") ? "open" : ""}`}
        aria-label={t("editor.componentsAndData")}
      >
        <PanelTabs
          tabs={leftTabs}
          current={left}
          name={t("editor.componentsAndData")}
        />
        <div
          class="editor-panel"
          role="tabpanel"
          aria-label={leftTabs.find(([key]) => key === left.value)?.[1]}
        >
          {left.value === "add" && <Palette />}
          {left.value === "outline" && <Outline />}
          {left.value === "data" && <DataPanel />}
        </div>
        <TourOffer />
      </aside>
      {children}
      <aside
        class={`editor-right ${isOpen("properties") ? "open" : ""}`}
        aria-label={t("editor.properties")}
      >
        <Inspector />
      </aside>
    </>
  );
}
