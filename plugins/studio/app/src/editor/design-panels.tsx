import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { lazy } from "../ui/loading.js";
import { Inspector } from "./inspector/inspector.js";
import { Outline } from "./outline/outline.js";
import { Palette } from "./palette/palette.js";
import { PanelTabs } from "./panel-tabs.js";
import type { DraftSession } from "./session/draft-session.js";
import { t } from "../messages/index.js";

const DataPanel = lazy(() =>
  import("./fields/data-panel.js").then((module) => module.DataPanel),
);

/** The panel that covers the page on phones. */
export type EditorSheet = "parts" | "properties" | "preview";

type LeftTab = "add" | "outline" | "data";

const leftTabs = [
  ["add", t("common.add"), "palette"],
  ["outline", t("editor.outline"), "outline"],
  ["data", t("common.data"), "data"],
] as const;

interface DesignPanelsProps {
  session: DraftSession;
  /** On phones, the panel that covers the page. */
  sheet: Signal<EditorSheet | null>;
  /** The page between the panels. */
  children: ComponentChildren;
}

/** Palette, outline and data left of the page, properties right of it. */
export function DesignPanels({ session, sheet, children }: DesignPanelsProps) {
  const left = useSignal<LeftTab>("add");
  const isOpen = (one: EditorSheet) => sheet.value === one;
  return (
    <>
      <aside
        class={`editor-left ${isOpen("parts") ? "open" : ""}`}
        aria-label={t("editor.componentsAndData")}
      >
        <PanelTabs
          tabs={leftTabs}
          shown={left}
          name={t("editor.componentsAndData")}
        />
        <div class="editor-panel" role="tabpanel" aria-label={left.value}>
          {left.value === "add" && <Palette />}
          {left.value === "outline" && <Outline />}
          {left.value === "data" && <DataPanel session={session} />}
        </div>
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
