import { useSignal } from "@preact/signals";
import { Canvas } from "./canvas/canvas.js";
import { DataPanel } from "./data/data-panel.js";
import { Inspector } from "./inspector/inspector.js";
import { JsonView } from "./json/json-view.js";
import { useEditor } from "./model/editor-context.js";
import { Outline } from "./outline/outline.js";
import { useEditorKeys } from "./outline/editor-keys.js";
import { Palette } from "./palette/palette.js";
import { PreviewPane } from "./preview/preview-pane.js";
import type { DraftSession } from "./session/draft-session.js";
import { TopBar } from "./session/top-bar.js";
import { PanelTabs } from "./panel-tabs.js";

export type EditorView = "design" | "json";
type LeftTab = "add" | "outline" | "data";

const leftTabs = [
  ["add", "Add", "palette"],
  ["outline", "Outline", "outline"],
  ["data", "Data", "data"],
] as const;

/** Bar, palette and outline, page, properties, and the printed page beside it. */
export function EditorFrame({ session }: { session: DraftSession }) {
  const editor = useEditor();
  const view = useSignal<EditorView>("design");
  const isPreviewOpen = useSignal(false);
  const left = useSignal<LeftTab>("add");
  const onKeyDown = useEditorKeys(editor);
  return (
    // Keys that no field took are for the page as a whole.
    <div class="editor" onKeyDown={onKeyDown}>
      <TopBar session={session} view={view} isPreviewOpen={isPreviewOpen} />
      {view.value === "json" ? (
        <JsonView session={session} />
      ) : (
        <>
          <aside class="editor-left" aria-label="Parts and data">
            <PanelTabs tabs={leftTabs} shown={left} name="Parts and data" />
            <div class="editor-panel" role="tabpanel" aria-label={left.value}>
              {left.value === "add" && <Palette />}
              {left.value === "outline" && <Outline />}
              {left.value === "data" && <DataPanel session={session} />}
            </div>
          </aside>
          <Canvas />
          <aside class="editor-right" aria-label="Properties">
            <Inspector />
          </aside>
        </>
      )}
      {isPreviewOpen.value && <PreviewPane session={session} />}
    </div>
  );
}
