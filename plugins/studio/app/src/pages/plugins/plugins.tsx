import type { PluginInfo } from "../../../../../../core/plugin-api/app-plugins.js";
import { ask } from "../../api.js";
import { OwnersOnly } from "../../owners-only.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { InstallPlugin } from "./install-plugin.js";
import { PluginLine } from "./plugin-line.js";
import { kindWords } from "./plugin-words.js";
import "./plugins.css";

export function PluginsPage() {
  return (
    <OwnersOnly title="Plugins">
      <Installed />
    </OwnersOnly>
  );
}

function Installed() {
  const { data, fault, reload } = useResource("", () =>
    ask<PluginInfo[]>("plugins"),
  );
  return (
    <>
      <PageTitle
        title="Plugins"
        lead="What Platen works together with on this server."
      />
      {fault && !data && (
        <Fault
          what="The plugins could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && !fault && <Bones />}
      {data && <Kinds all={data} />}
    </>
  );
}

function Kinds({ all }: { all: readonly PluginInfo[] }) {
  const usable = all.filter(({ fault }) => fault === null);
  return (
    <div class="stack plugins">
      <Kind
        title="Not usable"
        lead="Each says why, and what to do about it."
        plugins={all.filter((one) => !usable.includes(one))}
      />
      {kindWords.map(([kind, title, lead]) => (
        <Kind
          title={title}
          lead={lead}
          plugins={usable.filter((one) => one.kind === kind)}
          key={kind}
        />
      ))}
      <InstallPlugin />
    </div>
  );
}

interface KindProps {
  title: string;
  lead: string;
  plugins: PluginInfo[];
}

function Kind({ title, lead, plugins }: KindProps) {
  if (plugins.length === 0) return null;
  return (
    <section class="stack close">
      <h2>{title}</h2>
      <p class="muted">{lead}</p>
      <ul class="card lines">
        {plugins.map((plugin) => (
          <PluginLine plugin={plugin} key={`${plugin.id} ${plugin.source}`} />
        ))}
      </ul>
    </section>
  );
}
