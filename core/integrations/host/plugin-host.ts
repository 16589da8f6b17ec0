import { inject, injectable } from "../../lib/injection.js";
import { PlatenError, type SettingsSchema } from "../../plugin-api/index.js";
import { type EsignWorkspaces, ConnectedEsign } from "./connected-esign.js";
import { ConnectedPlatform } from "./connected-platform.js";
import type { CredentialsSchema } from "./credentials-schema.js";
import type { PluginCalls } from "./plugin-calls.js";
import type {
  CallableKind,
  CallablePlugins,
  LoadedPlugin,
  PluginStatus,
} from "./plugin-contract.js";
import type { Plugins } from "./plugins.js";
import { ESIGN_WORKSPACES, PLUGIN_CALLS, PLUGINS } from "./tokens.js";

/** An installed plugin of one kind; its capabilities and credentials are null when it is broken. */
export interface InstalledStatus<K extends CallableKind> extends PluginStatus {
  kind: K;
  capabilities: CallablePlugins[K]["capabilities"] | null;
  /** The JSON Schema (2020-12) of a connection's credentials; secrets are `writeOnly`. */
  credentials: SettingsSchema | null;
}

export type PlatformStatus = InstalledStatus<"platform">;
export type EsignStatus = InstalledStatus<"esign">;

/** The installed plugins of one kind. */
abstract class PluginHost<K extends CallableKind> {
  constructor(
    private readonly kind: K,
    private readonly plugins: Plugins,
  ) {}

  /** Loads all of them. Those that ship come first. */
  async list(): Promise<InstalledStatus<K>[]> {
    const all = await this.plugins.list();
    const ids = new Set(
      all.filter(({ kind }) => kind === this.kind).map(({ id }) => id),
    );
    const found = await Promise.all([...ids].map((id) => this.status(id)));
    return found.filter((status) => status !== null);
  }

  /** Without loading them. */
  listIds(): Promise<string[]> {
    return this.plugins.listIds(this.kind);
  }

  /** Null when it is not installed. */
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

  /** @throws PlatenError `unavailable` when the plugin cannot be used. */
  async getCredentialsSchema(id: string): Promise<CredentialsSchema> {
    return (await this.getLoaded(id)).credentials;
  }

  /** Why a plugin cannot be used; null when it can. */
  async findProblem(id: string): Promise<string | null> {
    const found = await this.plugins.find(this.kind, id);
    if (found === null)
      return `The plugin "${id}" is not installed. Install it again and add it to PLATEN_PLUGINS.`;
    const { title, reason } = found.status;
    return reason === null ? null : `The plugin ${title} is broken. ${reason}`;
  }

  protected async getLoaded(id: string): Promise<LoadedPlugin<K>> {
    const found = await this.plugins.find(this.kind, id);
    if (found?.loaded) return found.loaded;
    const problem = await this.findProblem(id);
    throw new PlatenError("unavailable", problem ?? "");
  }
}

/** The installed platforms, and how to connect to them. */
@injectable()
export class PlatformHost extends PluginHost<"platform"> {
  constructor(
    @inject(PLUGINS) plugins: Plugins,
    @inject(PLUGIN_CALLS) private readonly calls: PluginCalls,
  ) {
    super("platform", plugins);
  }

  /** @throws PlatenError `unavailable` when the plugin is broken or not installed, with the reason. */
  async connect(
    pluginId: string,
    credentials: unknown,
  ): Promise<ConnectedPlatform> {
    const { plugin } = await this.getLoaded(pluginId);
    return new ConnectedPlatform(plugin, credentials, this.calls);
  }
}

/** The installed e-signature providers, and how to connect to them. */
@injectable()
export class EsignHost extends PluginHost<"esign"> {
  constructor(
    @inject(PLUGINS) plugins: Plugins,
    @inject(PLUGIN_CALLS) private readonly calls: PluginCalls,
    @inject(ESIGN_WORKSPACES) private readonly workspaces: EsignWorkspaces,
  ) {
    super("esign", plugins);
  }

  /** @throws PlatenError `unavailable` when the plugin is broken or not installed, with the reason. */
  async connect(
    pluginId: string,
    credentials: unknown,
    connectionId: string,
  ): Promise<ConnectedEsign> {
    const { plugin } = await this.getLoaded(pluginId);
    const place = this.workspaces.get(connectionId);
    return new ConnectedEsign(plugin, { credentials, place }, this.calls);
  }
}
