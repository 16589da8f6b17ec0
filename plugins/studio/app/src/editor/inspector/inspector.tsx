import "./inspector.css";
import { useSignal } from "@preact/signals";
import { Icon } from "../../ui/icon.js";
import { catalogEntry } from "../model/catalog.js";
import { useEditor } from "../model/editor-context.js";
import type { Entry } from "../model/tree.js";
import { PanelTabs } from "../panel-tabs.js";
import { ContentPanel } from "./content/content-panel.js";

type Tab = "content" | "style" | "rules";

const tabs = [
  ["content", "Content", "edit"],
  ["style", "Style", "palette"],
  ["rules", "Rules", "condition"],
] as const;

/** All that can be said of what is selected. */
export function Inspector() {
  const entry = useEditor().selectedEntry.value;
  const tab = useSignal<Tab>("content");
  if (!entry) return <p class="inspector-none">Select something.</p>;
  return (
    <div class="inspector">
      <Head entry={entry} />
      <PanelTabs tabs={tabs} shown={tab} name="Properties" />
      {tab.value === "content" && <ContentPanel entry={entry} key={entry.id} />}
    </div>
  );
}

function Head({ entry }: { entry: Entry }) {
  const { icon, words } = catalogEntry(entry.component.type);
  return (
    <header class="inspector-head">
      <Icon name={icon} size={18} />
      <h2>{words}</h2>
    </header>
  );
}
