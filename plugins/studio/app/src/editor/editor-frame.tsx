import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { lazy } from "../ui/loading.js";
import { EditorLayer } from "./commands/editor-layer.js";
import { Canvas } from "./canvas/canvas.js";
import { DesignPanels } from "./design-panels.js";
import { useEditor } from "./model/editor-context.js";
import { useEditorKeys } from "./outline/editor-keys.js";
import { PhoneBar } from "./phone-bar.js";
import type { EditorSheet, EditorView } from "./editor-view.js";
import { useKept } from "./kept-choice.js";
import type { DraftSession } from "./session/draft-session.js";
import type { TypedText } from "./json/use-typed-json.js";
import { OutrunNotice } from "./session/outrun-notice.js";
import { RoleNotice, TrashNotice } from "./session/meanwhile-notices.js";
import { attend } from "./session/presence.js";
import { QuestionDialog } from "./session/question-dialog.js";
import { SaveFault } from "./session/save-fault.js";
import { TopBar } from "./session/top-bar.js";

const JsonView = lazy(() =>
  import("./json/json-view.js").then((module) => module.JsonView),
);
const VersionsView = lazy(() =>
  import("./versions/versions-view.js").then((module) => module.VersionsView),
);
const PreviewPane = lazy(() =>
  import("./preview/preview-pane.js").then((module) => module.PreviewPane),
);

/** Bar, palette and outline, page, properties, and the printed page beside it. */
export function EditorFrame({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const view = useSignal<EditorView>("design");
  const isPreviewOpen = useKept("preview", false);
  const sheet = useSignal<EditorSheet | null>(null);
  const typedJson = useSignal<TypedText | null>(null);
  const onKeyDown = useEditorKeys(editor);
  useLayoutEffect(() => attend(session), [session]);
  const isPreviewShown =
    view.value !== "versions" &&
    (isPreviewOpen.value || sheet.value === "preview");
  return (
    // Keys that no field took are for the page as a whole.
    <div
      class="editor"
      data-preview={isPreviewShown || undefined}
      onKeyDown={onKeyDown}
    >
      <TopBar session={session} view={view} isPreviewOpen={isPreviewOpen} />
      <div class="editor-notices">
        <SaveFault session={session} />
        <OutrunNotice session={session} />
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
      <QuestionDialog session={session} />
    </div>
  );
}

interface MiddleProps {
  session: DraftSession;
  view: Signal<EditorView>;
  sheet: Signal<EditorSheet | null>;
  /** What was typed as JSON and is not applied yet, while another view is shown. */
  typedJson: Signal<TypedText | null>;
}

/** What the bar above switches between. */
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
