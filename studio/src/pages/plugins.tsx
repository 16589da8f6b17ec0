import type {
  PluginAbility,
  PluginInfo,
} from "../../../core/integrations/host/views.js";
import type { PluginKind } from "../../../core/plugin-api/plugin.js";
import { ask } from "../api.js";
import { OwnersOnly } from "../session.js";
import { useResource } from "../resource.js";
import { LoadStatus } from "../ui/loading.js";
import { PageTitle } from "../ui/page-title.js";
import {
  type SettingsSchema,
  translateSettings,
} from "./connections/connection-settings.js";
import { Badge } from "../ui/list.js";
import { language, t } from "../messages/index.js";

export function PluginsPage() {
  return (
    <OwnersOnly title={t("shell.plugins")}>
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
      <PageTitle title={t("shell.plugins")} lead={t("plugins.lead")} />
      <LoadStatus
        resource={{ data, fault, reload }}
        what={t("plugins.couldntLoadPlugins")}
      />
      {data && <Kinds all={data} />}
    </>
  );
}

function Kinds({ all }: { all: readonly PluginInfo[] }) {
  const usable = all.filter(({ fault }) => fault === null);
  return (
    <div class="stack plugins">
      <Kind
        title={t("connections.unavailable")}
        lead={t("plugins.unavailableHelp")}
        plugins={all.filter((plugin) => !usable.includes(plugin))}
      />
      {kindWords.map(([kind, title, lead]) => (
        <Kind
          title={title}
          lead={lead}
          plugins={usable.filter((plugin) => plugin.kind === kind)}
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
  const { version, source, fault, abilities, settings } = plugin;
  const schema: SettingsSchema = settings ?? {};
  const title = schema.translations?.[language]?.title ?? plugin.title;
  const origin = source === "shipped" ? t("plugins.builtIn") : source;
  return (
    <li class="line plugin">
      <div class="words">
        <strong>{title}</strong>
        <span class="muted small">
          {version === null
            ? origin
            : t("plugins.sourceAndVersion", { source: origin, version })}
        </span>
      </div>
      <Badge tone={fault === null ? "good" : "bad"}>
        {fault === null ? t("plugins.ready") : t("connections.unavailable")}
      </Badge>
      {fault !== null && <p class="why">{fault}</p>}
      {abilities.length > 0 && (
        <p class="muted small whole">
          {abilities.map((ability) => abilityWords[ability]).join(" · ")}
        </p>
      )}
      <PluginSettings schema={translateSettings(schema)} />
    </li>
  );
}

function PluginSettings({ schema }: { schema: SettingsSchema }) {
  const { properties = {}, required = [] } = schema;
  const all = Object.entries(properties);
  if (all.length === 0) return null;
  return (
    <details class="whole">
      <summary>{t("plugins.connectionSettings")}</summary>
      <dl class="plugin-settings">
        {all.map(([name, property]) => (
          <div key={name}>
            <dt>
              {property.title ?? name}
              {required.includes(name) && (
                <span class="badge">{t("plugins.required")}</span>
              )}
              {property.writeOnly && (
                <span class="badge">{t("plugins.secret")}</span>
              )}
            </dt>
            <dd class="muted small">{property.description ?? ""}</dd>
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
    t("plugins.spreadsheetsAndDatabases"),
    t("plugins.platformsLead"),
  ],
  ["esign", t("plugins.eSignatures"), t("plugins.sendDocumentsForSignature")],
  ["delivery", t("deliveries.delivery"), t("deliveries.pluginsLead")],
  [
    "file-store",
    t("plugins.fileStorage"),
    t("plugins.storeGeneratedFilesAndAssets"),
  ],
];

const abilityWords: Record<PluginAbility, string> = {
  "linked-records": t("plugins.followsLinksBetweenTables"),
  "files-in-cells": t("plugins.putsFilesIntoCells"),
  "links-in-cells": t("plugins.putsLinksToFilesInto"),
  "row-search": t("plugins.searchesForRecords"),
  "signing-order": t("plugins.asksSignersInOrder"),
  "prefilled-fields": t("plugins.prefillsFields"),
  cancelling: t("plugins.cancelsRequests"),
  reminders: t("plugins.resendsRequests"),
  "proven-notices": t("plugins.verifiesIncomingWebhooks"),
};

function InstallPlugin() {
  return (
    <section class="card padded stack close">
      <h2>{t("plugins.installPlugin")}</h2>
      <p>{t("plugins.installHelp")}</p>
      <code class="command">npm install platen-plugin-warehouse</code>
      <code class="command">PLATEN_PLUGINS=platen-plugin-warehouse</code>
      <p class="muted small">
        {t("plugins.trustHelp")}{" "}
        <a href="../docs/how-to/write-a-plugin">{t("plugins.writeAPlugin")}</a>
      </p>
    </section>
  );
}
