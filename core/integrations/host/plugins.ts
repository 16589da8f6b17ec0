import type { Log } from "../../plugin-api/index.js";
import {
  type CallableKind,
  type CallablePlugins,
  isCallable,
  isOfKind,
} from "./callable-plugins.js";
import { asProvider } from "./install/esign-shape.js";
import { findPackages, type PackagePlaces } from "./install/find-packages.js";
import type { FoundPlugin } from "./install/found-plugin.js";
import { loadInTime } from "./install/load-in-time.js";
import { asPlatform } from "./install/platform-shape.js";
import type { PluginStatus } from "./plugin-status.js";
import { SettingsCheck } from "./settings-check.js";

/** How long the module of a plugin may take to load. */
const loadTimeMs = 10_000;

/** A plugin that can be called. */
export interface LoadedPlugin<K extends CallableKind = CallableKind> {
  plugin: CallablePlugins[K];
  credentials: SettingsCheck;
}

type Loading =
  | { loaded: LoadedPlugin; reason: null }
  | { loaded: null; reason: string | null };

/** What a module must export, for each kind; each throws what is wrong. */
const shapes = { platform: asPlatform, esign: asProvider };

export interface PluginsOptions {
  /** Those that ship: nothing that is installed takes their place. */
  shipped: readonly FoundPlugin[];
  places: PackagePlaces;
  platenVersion: string;
  log: Log;
  /** Default 10 s for each. */
  loadTimeMs?: number;
}

/**
 * What is installed. A plugin is loaded when it is first asked for, once, and one that fails to load is listed with
 * the reason; neither it nor what it does to itself touches any other. A new one is seen after a restart.
 */
export class Plugins {
  private found: Promise<readonly FoundPlugin[]> | null = null;
  private readonly loading = new Map<FoundPlugin, Promise<Loading>>();

  constructor(private readonly options: PluginsOptions) {}

  /** Those that ship first. Loads all of them. */
  async list(): Promise<PluginStatus[]> {
    const found = await this.look();
    return Promise.all(found.map((plugin) => this.statusOf(plugin)));
  }

  /** Loads what does not ship, so that the log tells at the start what of it cannot be used. */
  async notice(): Promise<void> {
    const found = await this.look();
    const installed = found.filter(({ source }) => source !== "shipped");
    await Promise.all(installed.map((plugin) => this.load(plugin)));
  }

  /** Loads none: some of them may turn out to be broken. */
  async idsOf(kind: CallableKind): Promise<string[]> {
    const found = await this.look();
    const fit = found.filter((one) => one.kind === kind && one.fault === null);
    return fit.map(({ id }) => id);
  }

  /** Of this kind and id; null when none is installed. `loaded` is null of one that is broken. */
  async find<K extends CallableKind>(
    kind: K,
    id: string,
  ): Promise<{ status: PluginStatus; loaded: LoadedPlugin<K> | null } | null> {
    const all = await this.look();
    const same = all.filter((one) => one.id === id && one.kind === kind);
    const one = same.find(({ fault }) => fault === null) ?? same[0];
    if (one === undefined) return null;
    const { loaded } = await this.load(one);
    const status = await this.statusOf(one);
    if (loaded === null || !isOfKind(loaded.plugin, kind))
      return { status, loaded: null };
    const { plugin, credentials } = loaded;
    return { status, loaded: { plugin, credentials } };
  }

  private look(): Promise<readonly FoundPlugin[]> {
    const { shipped, places, platenVersion } = this.options;
    this.found ??= findPackages(places, platenVersion).then((installed) =>
      refuseSecond([...shipped, ...installed]),
    );
    return this.found;
  }

  private async statusOf(found: FoundPlugin): Promise<PluginStatus> {
    const { kind, id, title, version, source } = found;
    const { reason } = await this.load(found);
    const state = reason === null ? "ready" : "broken";
    return { kind, id, title, version, source, state, reason };
  }

  private load(found: FoundPlugin): Promise<Loading> {
    const loading = this.loading.get(found) ?? this.tryToLoad(found);
    this.loading.set(found, loading);
    return loading;
  }

  private async tryToLoad(found: FoundPlugin): Promise<Loading> {
    if (found.fault !== null) {
      const { source: plugin, fault: reason } = found;
      this.options.log.error({ plugin, reason }, "a plugin cannot be used");
      return { loaded: null, reason };
    }
    // Of other kinds, those that ship are loaded by whoever needs them.
    if (!isCallable(found.kind)) return { loaded: null, reason: null };
    try {
      const { loadTimeMs: most = loadTimeMs } = this.options;
      const value = await loadInTime(() => found.load(), most);
      const plugin = shapes[found.kind](value, found.id);
      const { schema } = plugin.credentials;
      const credentials = await SettingsCheck.compile(schema);
      return { loaded: { plugin, credentials }, reason: null };
    } catch (fault) {
      const { log } = this.options;
      log.error({ err: fault, plugin: found.id }, "a plugin cannot be used");
      return { loaded: null, reason: reasonOf(fault) };
    }
  }
}

function reasonOf(fault: unknown): string {
  const what = fault instanceof Error ? fault.message : String(fault);
  return `It failed to load: ${what}. Install another version of it, or tell its author; then restart Platen.`;
}

/** Each id once: of those that could be loaded, whoever comes first keeps it. */
function refuseSecond(all: readonly FoundPlugin[]): FoundPlugin[] {
  const kept = new Map<string, FoundPlugin>();
  return all.map((plugin) => {
    if (plugin.fault !== null) return plugin;
    const key = `${plugin.kind} ${plugin.id}`;
    const first = kept.get(key) ?? plugin;
    kept.set(key, first);
    if (first === plugin) return plugin;
    const fault = `The id "${plugin.id}" belongs to the plugin from ${first.source}. Remove one of them.`;
    return { ...plugin, fault };
  });
}
