import { setTimeout as sleep } from "node:timers/promises";
import { inject, injectable } from "../../lib/injection.js";
import type {
  AppPlugins,
  EsignCapabilities,
  Log,
  PlatformPlugin,
  PluginAbility,
  PluginInfo,
} from "../../plugin-api/index.js";
import { CredentialsSchema } from "./credentials-schema.js";
import { findPackages, type PackagePlaces } from "./plugin-packages.js";
import {
  type CallableKind,
  type FoundPlugin,
  isCallable,
  isOfKind,
  type LoadedPlugin,
  parseEsignProvider,
  parsePlatform,
  type PluginStatus,
} from "./plugin-contract.js";
import { PLUGINS } from "./tokens.js";

type LoadResult =
  | { loaded: LoadedPlugin; reason: null }
  | { loaded: null; reason: string | null };

export interface PluginsOptions {
  /** The plugins that ship with Platen; an installed one cannot take the id of one of them. */
  shipped: readonly FoundPlugin[];
  places: PackagePlaces;
  platenVersion: string;
  log: Log;
  /** Default 10 s for each. */
  loadTimeMs?: number;
}

const parsers = { platform: parsePlatform, esign: parseEsignProvider };

/**
 * The installed plugins. Each is loaded once, on first use; one that fails to load is listed with the reason and does
 * not affect the others. New plugins are found after a restart.
 */
export class Plugins {
  private found: Promise<readonly FoundPlugin[]> | null = null;
  private readonly loading = new Map<FoundPlugin, Promise<LoadResult>>();

  constructor(private readonly options: PluginsOptions) {}

  /** Loads all of them. Those that ship come first. */
  async list(): Promise<PluginStatus[]> {
    const found = await this.findAll();
    return Promise.all(found.map((plugin) => this.getStatus(plugin)));
  }

  /** Loads the plugins that do not ship with Platen, to log at startup those that cannot be used. */
  async loadInstalled(): Promise<void> {
    const found = await this.findAll();
    const installed = found.filter(({ source }) => source !== "shipped");
    await Promise.all(installed.map((plugin) => this.load(plugin)));
  }

  /** Without loading them, so that some may turn out to be broken. */
  async listIds(kind: CallableKind): Promise<string[]> {
    const found = await this.findAll();
    return found
      .filter((one) => one.kind === kind && one.fault === null)
      .map(({ id }) => id);
  }

  /** Null when it is not installed; `loaded` is null when it is broken. */
  async find<K extends CallableKind>(
    kind: K,
    id: string,
  ): Promise<{ status: PluginStatus; loaded: LoadedPlugin<K> | null } | null> {
    const all = await this.findAll();
    const same = all.filter((one) => one.id === id && one.kind === kind);
    const one = same.find(({ fault }) => fault === null) ?? same[0];
    if (one === undefined) return null;
    const { loaded } = await this.load(one);
    const status = await this.getStatus(one);
    if (loaded === null || !isOfKind(loaded.plugin, kind))
      return { status, loaded: null };
    const { plugin, credentials } = loaded;
    return { status, loaded: { plugin, credentials } };
  }

  private findAll(): Promise<readonly FoundPlugin[]> {
    const { shipped, places, platenVersion } = this.options;
    this.found ??= findPackages(places, platenVersion).then((installed) =>
      rejectDuplicates([...shipped, ...installed]),
    );
    return this.found;
  }

  private async getStatus(found: FoundPlugin): Promise<PluginStatus> {
    const { kind, id, title, version, source } = found;
    const { reason } = await this.load(found);
    const state = reason === null ? "ready" : "broken";
    return { kind, id, title, version, source, state, reason };
  }

  private load(found: FoundPlugin): Promise<LoadResult> {
    const loading = this.loading.get(found) ?? this.tryToLoad(found);
    this.loading.set(found, loading);
    return loading;
  }

  private async tryToLoad(found: FoundPlugin): Promise<LoadResult> {
    const { log, loadTimeMs = 10_000 } = this.options;
    if (found.fault !== null) {
      const { source: plugin, fault: reason } = found;
      log.error({ plugin, reason }, "a plugin cannot be used");
      return { loaded: null, reason };
    }
    // Shipped plugins of other kinds are loaded by those that use them.
    if (!isCallable(found.kind)) return { loaded: null, reason: null };
    try {
      const value = await loadWithTimeout(found, loadTimeMs);
      const plugin = parsers[found.kind](value, found.id);
      const { schema } = plugin.credentials;
      const credentials = await CredentialsSchema.compile(schema);
      return { loaded: { plugin, credentials }, reason: null };
    } catch (error) {
      log.error({ err: error, plugin: found.id }, "a plugin cannot be used");
      const message = error instanceof Error ? error.message : String(error);
      const reason = `It failed to load: ${message}. Install another version of it, or tell its author; then restart Platen.`;
      return { loaded: null, reason };
    }
  }
}

/** Stops waiting for a module that does not finish loading; the module itself cannot be stopped. */
async function loadWithTimeout(
  found: FoundPlugin,
  milliseconds: number,
): Promise<unknown> {
  const timer = new AbortController();
  const late = sleep(milliseconds, null, { signal: timer.signal }).then(() => {
    throw new Error(`it did not load within ${milliseconds / 1000} s`);
  });
  try {
    return await Promise.race([found.load(), late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}

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

/** The installed plugins as people see them. */
@injectable()
export class PluginCatalog implements AppPlugins {
  constructor(@inject(PLUGINS) private readonly plugins: Plugins) {}

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
    const none = { abilities: [], settings: null };
    if (reason !== null) return none;
    if (kind === "platform") {
      const found = await this.plugins.find(kind, id);
      if (found?.loaded) {
        const { plugin } = found.loaded;
        const { schema } = plugin.credentials;
        return { abilities: listPlatformAbilities(plugin), settings: schema };
      }
    }
    if (kind === "esign") {
      const found = await this.plugins.find(kind, id);
      if (found?.loaded) {
        const { capabilities, credentials } = found.loaded.plugin;
        const abilities = listEsignAbilities(capabilities);
        return { abilities, settings: credentials.schema };
      }
    }
    return none;
  }
}

function listPlatformAbilities(plugin: PlatformPlugin): PluginAbility[] {
  const { links, attachments } = plugin.capabilities;
  return pickTrue({
    "linked-records": links,
    "files-in-cells": attachments === "native",
    "links-in-cells": attachments === "link-cell",
    "row-search": plugin.findRows !== undefined,
  });
}

function listEsignAbilities(can: EsignCapabilities): PluginAbility[] {
  return pickTrue({
    "signing-order": can.order,
    "prefilled-fields": can.values,
    cancelling: can.cancel,
    reminders: can.resend,
    "proven-notices": can.noticeProof !== "none",
  });
}

function pickTrue(
  all: Partial<Record<PluginAbility, boolean>>,
): PluginAbility[] {
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
