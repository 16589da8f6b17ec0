import type { PluginAbility, PluginInfo } from "./views.js";
import { clock } from "../../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../../lib/injection.js";
import {
  type EsignCapabilities,
  type Log,
  PlatenError,
} from "../../plugin-api/index.js";
import { CONFIG, PACKAGE, LOG } from "../../lib/process-values.js";
import { CredentialsSchema } from "./credentials-schema.js";
import {
  type CallableKind,
  type CallablePlatform,
  type FoundPlugin,
  isCallable,
  isOfKind,
  type LoadedPlugin,
  parsePlugin,
  type PluginStatus,
} from "./plugin-contract.js";
import { PluginProcesses } from "./plugin-processes.js";
import { type PackageOptions, findPackages } from "./find-packages.js";

export const SHIPPED_PLUGINS =
  createToken<readonly FoundPlugin[]>("shipped plugins");

type LoadResult =
  | { loaded: LoadedPlugin; reason: null }
  | { loaded: null; reason: string | null };

/** How long the failure of a plugin to load is kept when its process ended. */
const retryLoadMs = 30_000;

interface PluginsOptions extends PackageOptions {
  /** The plugins that ship with Platen; an installed one cannot take the id of one of them. */
  shipped: readonly FoundPlugin[];
  log: Log;
}

/**
 * The installed plugins. Each is loaded once, on first use; one that fails to load is listed with the reason and does
 * not affect the others. New plugins are found after a restart.
 */
export class Plugins {
  private foundPlugins: Promise<readonly FoundPlugin[]> | null = null;
  private readonly loading = new Map<FoundPlugin, Promise<LoadResult>>();

  constructor(private readonly options: PluginsOptions) {}

  /** Loads all of them. Those that ship come first. */
  async list(): Promise<PluginStatus[]> {
    const plugins = await this.findAll();
    return Promise.all(plugins.map((plugin) => this.getStatus(plugin)));
  }

  /** Loads the plugins that do not ship with Platen, to log at startup those that cannot be used. */
  async loadInstalled(): Promise<void> {
    const plugins = await this.findAll();
    const installed = plugins.filter(({ source }) => source !== "shipped");
    await Promise.all(installed.map((plugin) => this.load(plugin)));
  }

  /** Without loading them, so that some may turn out to be broken. */
  async listIds(kind: CallableKind): Promise<string[]> {
    const plugins = await this.findAll();
    return plugins
      .filter((plugin) => plugin.kind === kind && plugin.fault === null)
      .map(({ id }) => id);
  }

  /** Null when it is not installed; `loaded` is null when it is broken. */
  async find<K extends CallableKind>(
    kind: K,
    id: string,
  ): Promise<{ status: PluginStatus; loaded: LoadedPlugin<K> | null } | null> {
    const all = await this.findAll();
    const same = all.filter(
      (candidate) => candidate.id === id && candidate.kind === kind,
    );
    const chosen = same.find(({ fault }) => fault === null) ?? same[0];
    if (chosen === undefined) return null;
    const { loaded } = await this.load(chosen);
    const status = await this.getStatus(chosen);
    if (loaded === null || !isOfKind(loaded.plugin, kind))
      return { status, loaded: null };
    const { plugin, credentials } = loaded;
    return { status, loaded: { plugin, credentials } };
  }

  private findAll(): Promise<readonly FoundPlugin[]> {
    const { shipped } = this.options;
    this.foundPlugins ??= findPackages(this.options).then((installed) =>
      rejectDuplicates([...shipped, ...installed]),
    );
    return this.foundPlugins;
  }

  private async getStatus(foundPlugin: FoundPlugin): Promise<PluginStatus> {
    const { kind, id, title, version, source } = foundPlugin;
    const { reason } = await this.load(foundPlugin);
    const state = reason === null ? "ready" : "broken";
    return { kind, id, title, version, source, state, reason };
  }

  private async load(foundPlugin: FoundPlugin): Promise<LoadResult> {
    const loading =
      this.loading.get(foundPlugin) ?? this.tryToLoad(foundPlugin);
    this.loading.set(foundPlugin, loading);
    return loading;
  }

  private async tryToLoad(foundPlugin: FoundPlugin): Promise<LoadResult> {
    const { log } = this.options;
    if (foundPlugin.fault !== null) {
      const { source: plugin, fault: reason } = foundPlugin;
      log.error({ plugin, reason }, "a plugin cannot be used");
      return { loaded: null, reason };
    }
    // Shipped plugins of other kinds are loaded by those that use them.
    if (!isCallable(foundPlugin.kind)) return { loaded: null, reason: null };
    try {
      const value = await foundPlugin.load();
      const plugin = parsePlugin(foundPlugin.kind, value, foundPlugin.id);
      const { schema } = plugin.credentials;
      const credentials = await CredentialsSchema.compile(schema);
      return { loaded: { plugin, credentials }, reason: null };
    } catch (error) {
      log.error(
        { err: error, plugin: foundPlugin.id },
        "a plugin cannot be used",
      );
      // Its process ended, which a busy machine may have caused: a later use tries again.
      if (error instanceof PlatenError)
        clock
          .after(retryLoadMs, () => this.loading.delete(foundPlugin))
          .unref();
      const message = error instanceof Error ? error.message : String(error);
      const reason = `It failed to load: ${message}. Install another version of it, or tell its author; then restart Platen.`;
      return { loaded: null, reason };
    }
  }
}

provide(Plugins, (c) => {
  const { names, folder } = c.resolve(CONFIG).plugins;
  const { version, folder: home } = c.resolve(PACKAGE);
  return new Plugins({
    shipped: c.resolve(SHIPPED_PLUGINS),
    places: { names, folder, roots: [home, process.cwd()] },
    processes: c.resolve(PluginProcesses),
    platenVersion: version,
    log: c.resolve(LOG),
  });
});

/** Gives each id to the first plugin that has it and can be loaded. */
function rejectDuplicates(all: readonly FoundPlugin[]): FoundPlugin[] {
  const owners = new Map<string, FoundPlugin>();
  return all.map((plugin) => {
    if (plugin.fault !== null) return plugin;
    const key = `${plugin.kind} ${plugin.id}`;
    const first = owners.get(key) ?? plugin;
    owners.set(key, first);
    if (first === plugin) return plugin;
    const fault = `The id "${plugin.id}" belongs to the plugin from ${first.source}. Remove one of them.`;
    return { ...plugin, fault };
  });
}

type Details = Pick<PluginInfo, "abilities" | "settings">;

@scoped(Lifecycle.ContainerScoped)
export class PluginCatalog {
  constructor(@inject(Plugins) private readonly plugins: Plugins) {}

  /** Shipped plugins come first. */
  async list(): Promise<PluginInfo[]> {
    const all = await this.plugins.list();
    return Promise.all(
      all.map(async (plugin) => {
        const { kind, id, title, version, source, reason: fault } = plugin;
        const details = await this.#getDetails(plugin);
        return { kind, id, title, version, source, fault, ...details };
      }),
    );
  }

  async #getDetails({ kind, id, reason }: PluginStatus): Promise<Details> {
    const installed =
      reason === null && isCallable(kind)
        ? await this.plugins.find(kind, id)
        : null;
    const plugin = installed?.loaded?.plugin;
    if (plugin === undefined) return { abilities: [], settings: null };
    const abilities = isOfKind(plugin, "platform")
      ? listPlatformAbilities(plugin)
      : isOfKind(plugin, "esign")
        ? listEsignAbilities(plugin.capabilities)
        : [];
    return { abilities, settings: plugin.credentials.schema };
  }
}

function listPlatformAbilities(plugin: CallablePlatform): PluginAbility[] {
  const { links, attachments } = plugin.capabilities;
  return pickTrue(
    links && "linked-records",
    attachments === "native" && "files-in-cells",
    attachments === "link-cell" && "links-in-cells",
    plugin.findRows !== undefined && "row-search",
  );
}

function listEsignAbilities(can: EsignCapabilities): PluginAbility[] {
  return pickTrue(
    can.order && "signing-order",
    can.values && "prefilled-fields",
    can.cancel && "cancelling",
    can.resend && "reminders",
    can.noticeProof !== "none" && "proven-notices",
  );
}

function pickTrue(...all: (PluginAbility | false)[]): PluginAbility[] {
  return all.filter((ability) => ability !== false);
}
