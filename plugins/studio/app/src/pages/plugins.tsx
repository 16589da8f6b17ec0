import type {
  PluginInfo,
  PluginAbility,
} from "../../../../../core/plugin-api/app-plugins.js";
import type {
  SettingsSchema as Schema,
  PluginKind,
} from "../../../../../core/plugin-api/plugin.js";
import { ask } from "../api.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { Bones } from "../ui/loading.js";
import { Fault } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import type { SettingsSchema } from "./connections/connection-settings.js";
import "./pages.css";

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

/** A plugin: which, whether it works, what it can do, what it asks for. */
function PluginLine({ plugin }: { plugin: PluginInfo }) {
  const { title, version, source, fault, abilities, settings } = plugin;
  return (
    <li class="line plugin">
      <div class="words">
        <strong>{title}</strong>
        <span class="muted small">
          {source === "shipped" ? "Comes with Platen" : source}
          {version !== null && `, version ${version}`}
        </span>
      </div>
      <span class={`badge ${fault === null ? "good" : "bad"}`}>
        <span class="dot" />
        {fault === null ? "Ready" : "Not usable"}
      </span>
      {fault !== null && <p class="why">{fault}</p>}
      {abilities.length > 0 && (
        <p class="muted small whole">
          {abilities.map((one) => abilityWords[one]).join(" · ")}
        </p>
      )}
      {settings && <PluginSettings schema={settings} />}
    </li>
  );
}

/** What a connection to a plugin asks for, in a table. */
function PluginSettings({ schema }: { schema: Schema }) {
  const { properties = {}, required = [] }: SettingsSchema = schema;
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details class="whole">
      <summary>What a connection asks for</summary>
      <dl class="plugin-settings">
        {all.map(([name, one]) => (
          <div key={name}>
            <dt>
              {one.title ?? name}
              {required.includes(name) && <span class="badge">Needed</span>}
              {one.writeOnly && <span class="badge">Secret</span>}
            </dt>
            <dd class="muted small">{one.description ?? ""}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What the plugins of a kind are for. */
const kindWords: readonly (readonly [
  kind: PluginKind,
  title: string,
  lead: string,
])[] = [
  [
    "platform",
    "Spreadsheets and databases",
    "Records come from them, and finished files go back.",
  ],
  ["esign", "E-signatures", "Documents are signed with them."],
  ["file-store", "File storage", "Files are kept in them."],
  ["app", "Pages", "They add pages such as this one."],
];

const abilityWords: Record<PluginAbility, string> = {
  "linked-records": "Follows links between tables",
  "files-in-cells": "Puts files into cells",
  "links-in-cells": "Puts links to files into cells",
  "row-search": "Searches for records",
  "signing-order": "Asks signers one after the other",
  "prefilled-fields": "Fills fields in beforehand",
  cancelling: "Cancels requests",
  reminders: "Sends requests again",
  "proven-notices": "Proves where its notices come from",
};

/** How another plugin comes to be here. */
function InstallPlugin() {
  return (
    <section class="card padded stack close">
      <h2>Install another</h2>
      <p>
        Plugins are packages of npm. Whoever runs Platen installs one beside it,
        names it, and restarts Platen:
      </p>
      <code class="command">npm install platen-plugin-directus</code>
      <code class="command">PLATEN_PLUGINS=platen-plugin-directus</code>
      <p class="muted small">
        A plugin runs with all that Platen may do: install only those whose
        author you trust. How to write one is in docs/write-a-plugin.md.
      </p>
    </section>
  );
}
