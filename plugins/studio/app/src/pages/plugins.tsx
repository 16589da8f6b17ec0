import type {
  PluginAbility,
  PluginInfo,
} from "../../../../../core/plugin-api/app-plugin.js";
import type {
  PluginKind,
  SettingsSchema as Schema,
} from "../../../../../core/plugin-api/plugin.js";
import { ask } from "../api.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { LoadStatus } from "../ui/loading.js";
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
      <PageTitle title="Plugins" lead="The plugins installed on this server." />
      <LoadStatus resource={{ data, fault, reload }} what="the plugins" />
      {data && <Kinds all={data} />}
    </>
  );
}

function Kinds({ all }: { all: readonly PluginInfo[] }) {
  const usable = all.filter(({ fault }) => fault === null);
  return (
    <div class="stack plugins">
      <Kind
        title="Unavailable"
        lead="Each entry says why and how to fix it."
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

function PluginLine({ plugin }: { plugin: PluginInfo }) {
  const { title, version, source, fault, abilities, settings } = plugin;
  return (
    <li class="line plugin">
      <div class="words">
        <strong>{title}</strong>
        <span class="muted small">
          {source === "shipped" ? "Built in" : source}
          {version !== null && `, version ${version}`}
        </span>
      </div>
      <span class={`badge ${fault === null ? "good" : "bad"}`}>
        <span class="dot" />
        {fault === null ? "Ready" : "Unavailable"}
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

function PluginSettings({ schema }: { schema: Schema }) {
  const { properties = {}, required = [] }: SettingsSchema = schema;
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details class="whole">
      <summary>Connection settings</summary>
      <dl class="plugin-settings">
        {all.map(([name, one]) => (
          <div key={name}>
            <dt>
              {one.title ?? name}
              {required.includes(name) && <span class="badge">Required</span>}
              {one.writeOnly && <span class="badge">Secret</span>}
            </dt>
            <dd class="muted small">{one.description ?? ""}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const kindWords: readonly (readonly [
  kind: PluginKind,
  title: string,
  lead: string,
])[] = [
  [
    "platform",
    "Spreadsheets and databases",
    "Read records and save finished files back.",
  ],
  ["esign", "E-signatures", "Send documents for signature."],
  ["file-store", "File storage", "Store generated files and assets."],
  ["app", "Pages", "Add pages such as this one."],
];

const abilityWords: Record<PluginAbility, string> = {
  "linked-records": "Follows links between tables",
  "files-in-cells": "Puts files into cells",
  "links-in-cells": "Puts links to files into cells",
  "row-search": "Searches for records",
  "signing-order": "Asks signers in order",
  "prefilled-fields": "Prefills fields",
  cancelling: "Cancels requests",
  reminders: "Resends requests",
  "proven-notices": "Verifies incoming webhooks",
};

function InstallPlugin() {
  return (
    <section class="card padded stack close">
      <h2>Install a plugin</h2>
      <p>
        Plugins are npm packages. The operator of this server installs the
        package, sets PLATEN_PLUGINS and restarts Platen:
      </p>
      <code class="command">npm install platen-plugin-directus</code>
      <code class="command">PLATEN_PLUGINS=platen-plugin-directus</code>
      <p class="muted small">
        A plugin runs with all of Platen's permissions. Install only plugins you
        trust. To write one, see docs/write-a-plugin.md.
      </p>
    </section>
  );
}
