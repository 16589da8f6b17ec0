import { PlatenError } from "../../plugin-api/index.js";
import type { CallableKind, CallablePlugins } from "./callable-plugins.js";
import type { InstalledStatus } from "./installed-status.js";
import type { LoadedPlugin, Plugins } from "./plugins.js";
import type { SettingsCheck } from "./settings-check.js";

/** The plugins of one kind that are installed. */
export abstract class PluginHost<K extends CallableKind> {
  constructor(
    private readonly kind: K,
    private readonly plugins: Plugins,
  ) {}

  /** Those that ship first. Loads all of them. */
  async list(): Promise<InstalledStatus<K>[]> {
    const all = await this.plugins.list();
    const ids = new Set(
      all.filter(({ kind }) => kind === this.kind).map(({ id }) => id),
    );
    const found = await Promise.all([...ids].map((id) => this.status(id)));
    return found.filter((status) => status !== null);
  }

  /** Of those that are installed, without loading them. */
  ids(): Promise<string[]> {
    return this.plugins.idsOf(this.kind);
  }

  /** Null: none with this id is installed. */
  async status(id: string): Promise<InstalledStatus<K> | null> {
    const { kind } = this;
    const found = await this.plugins.find(kind, id);
    if (found === null) return null;
    const plugin = found.loaded?.plugin;
    return {
      ...found.status,
      kind,
      capabilities: plugin?.capabilities ?? null,
      credentials: plugin?.credentials.schema ?? null,
    };
  }

  /** Null: none with this id is installed, or it is broken. */
  async find(id: string): Promise<CallablePlugins[K] | null> {
    return (await this.plugins.find(this.kind, id))?.loaded?.plugin ?? null;
  }

  /** Checks the credentials of the plugin's connections. @throws PlatenError `unavailable`, as `problemOf` tells. */
  async credentialsCheck(id: string): Promise<SettingsCheck> {
    return (await this.ready(id)).credentials;
  }

  /** Why a plugin cannot be used; null when it can. */
  async problemOf(id: string): Promise<string | null> {
    const found = await this.plugins.find(this.kind, id);
    if (found === null)
      return `The plugin "${id}" is not installed. Install it again, and name it in PLATEN_PLUGINS.`;
    const { title, reason } = found.status;
    return reason === null ? null : `The plugin ${title} is broken. ${reason}`;
  }

  protected async ready(id: string): Promise<LoadedPlugin<K>> {
    const found = await this.plugins.find(this.kind, id);
    if (found?.loaded) return found.loaded;
    const problem = await this.problemOf(id);
    throw new PlatenError("unavailable", problem ?? "");
  }
}
