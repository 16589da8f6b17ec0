import "./inspector.css";
import { useSignal, useSignalEffect } from "@preact/signals";
import { Icon } from "../../ui/icon.js";
import { lazy } from "../../ui/loading.js";
import { SaveBlockButton } from "../blocks/block-panel.js";
import { TableTools } from "../commands/table-tools.js";
import { getCatalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import { type Entry, lineage } from "../model/tree.js";
import { PanelTabs } from "../panel-tabs.js";
import { ContentPanel } from "./content-panel.js";
import { PagePanel } from "./page-panel.js";
import { StylePanel } from "./style-panel.js";
import { t } from "../../messages/index.js";

const RulesPanel = lazy(
  () => import("../rules/rules-panel.js"),
  (module) => module.RulesPanel,
);

type Tab = "content" | "style" | "rules";

const tabs = [
  ["content", t("common.content"), "edit"],
  ["style", t("common.style"), "palette"],
  ["rules", t("common.rules"), "condition"],
] as const;

/** The properties of the selected component, the style of several ones, or the page if nothing is selected. */
export function Inspector() {
  const { selection, shownPart } = useEditor();
  const tab = useSignal<Tab>("content");
  useSignalEffect(() => {
    const part = shownPart.value;
    if (part !== null) tab.value = part === "save-style" ? "style" : "rules";
  });
  const entries = selection.value;
  const [entry] = entries;
  if (!entry) return <PagePanel />;
  if (entries.length > 1) return <GroupInspector entries={entries} />;
  // A block has its own style in every template.
  const isBlock = entry.component.type === "partial";
  if (isBlock && tab.peek() === "style") tab.value = "content";
  return (
    <div class="inspector">
      <Head entry={entry} />
      <PanelTabs
        tabs={isBlock ? tabs.filter(([key]) => key !== "style") : tabs}
        current={tab}
        name={t("editor.properties")}
      />
      <div role="tabpanel" aria-label={tab.value} key={entry.id}>
        {tab.value === "content" && (
          <>
            <TableTools entry={entry} />
            <ContentPanel entry={entry} />
          </>
        )}
        {tab.value === "style" && <StylePanel entries={entries} />}
        {tab.value === "rules" && <RulesPanel id={entry.id} />}
      </div>
      <SaveBlockButton entries={entries} />
    </div>
  );
}

/** What can be changed for several components at once. */
function GroupInspector({ entries }: { entries: readonly Entry[] }) {
  return (
    <div class="inspector">
      <header class="inspector-head">
        <h2>{t("canvas.components", { count: entries.length })}</h2>
        <p class="prop-hint">{t("style.appliesToAllSelected")}</p>
      </header>
      <StylePanel entries={entries} key={entries.map(({ id }) => id).join()} />
      <SaveBlockButton entries={entries} />
    </div>
  );
}

/** The selected component and its ancestors. */
function Head({ entry }: { entry: Entry }) {
  const editor = useEditor();
  const { icon, words, purpose } = getCatalogEntry(entry.component.type);
  const around = lineage(editor.drawnTree.value, entry.id).slice(0, -1);
  const select = (id: string | null) => {
    editor.selected.value = id;
  };
  return (
    <header class="inspector-head">
      <nav class="trail" aria-label={t("style.breadcrumb")}>
        <button type="button" onClick={() => select(null)}>
          {editor.templateType === "email"
            ? t("common.email")
            : t("common.page")}
        </button>
        {around.map(({ id, component }) => (
          <button type="button" onClick={() => select(id)} key={id}>
            {getCatalogEntry(component.type).words}
          </button>
        ))}
      </nav>
      <h2>
        <Icon name={icon} size={18} />
        {words}
      </h2>
      <p class="prop-hint">{purpose}</p>
    </header>
  );
}
