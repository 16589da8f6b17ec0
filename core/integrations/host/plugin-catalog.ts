import type {
  AppPlugins,
  EsignCapabilities,
  PlatformPlugin,
  PluginAbility,
  PluginInfo,
} from "../../plugin-api/index.js";
import type { LoadedPlugin, Plugins } from "./plugins.js";
import type { PluginStatus } from "./plugin-status.js";

type Described = Pick<PluginInfo, "abilities" | "settings">;

const nothing: Described = { abilities: [], settings: null };

/** What is installed, as people read it. */
export class PluginCatalog implements AppPlugins {
  constructor(private readonly plugins: Plugins) {}

  async list(): Promise<PluginInfo[]> {
    const all = await this.plugins.list();
    return Promise.all(all.map((status) => this.#infoOf(status)));
  }

  async #infoOf(status: PluginStatus): Promise<PluginInfo> {
    const { kind, id, title, version, source, reason } = status;
    const facts = { kind, id, title, version, source, fault: reason };
    return { ...facts, ...(await this.#described(status)) };
  }

  /** One that is broken tells nothing of itself. */
  async #described({ kind, id, reason }: PluginStatus): Promise<Described> {
    if (reason !== null) return nothing;
    if (kind === "platform") {
      const found = await this.plugins.find(kind, id);
      return found?.loaded
        ? describe(found.loaded, platformAbilities(found.loaded.plugin))
        : nothing;
    }
    if (kind !== "esign") return nothing;
    const found = await this.plugins.find(kind, id);
    return found?.loaded
      ? describe(found.loaded, esignAbilities(found.loaded.plugin.capabilities))
      : nothing;
  }
}

function describe(
  { plugin }: Pick<LoadedPlugin, "plugin">,
  abilities: readonly PluginAbility[],
): Described {
  return { abilities, settings: plugin.credentials.schema };
}

function platformAbilities(plugin: PlatformPlugin): PluginAbility[] {
  const { links, attachments } = plugin.capabilities;
  return chosen({
    "linked-records": links,
    "files-in-cells": attachments === "native",
    "links-in-cells": attachments === "link-cell",
    "row-search": plugin.findRows !== undefined,
  });
}

function esignAbilities(can: EsignCapabilities): PluginAbility[] {
  return chosen({
    "signing-order": can.order,
    "prefilled-fields": can.values,
    cancelling: can.cancel,
    reminders: can.resend,
    "proven-notices": can.noticeProof !== "none",
  });
}

function chosen(all: Partial<Record<PluginAbility, boolean>>): PluginAbility[] {
  return abilities.filter((one) => all[one] === true);
}

const abilities: readonly PluginAbility[] = [
  "linked-records",
  "files-in-cells",
  "links-in-cells",
  "row-search",
  "signing-order",
  "prefilled-fields",
  "cancelling",
  "reminders",
  "proven-notices",
];
