import type { AuthorizationOffer } from "./views.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type FileReader,
  PlatenError,
  type SettingsSchema,
} from "../../plugin-api/index.js";
import { EsignWorkspaces, ConnectedEsign } from "./connected-esign.js";
import { ConnectedDelivery } from "./connected-delivery.js";
import { ConnectedPlatform } from "./connected-platform.js";
import type { CredentialsSchema } from "./credentials-schema.js";
import type {
  CallableKind,
  LoadedPlugin,
  PluginStatus,
  CallablePlugins,
} from "./plugin-contract.js";
import { PluginCalls } from "./plugin-calls.js";
import { Plugins } from "./plugins.js";

/** The capabilities and credentials of a broken plugin are null. */
interface InstalledStatus<K extends CallableKind> extends PluginStatus {
  kind: K;
  capabilities: CallablePlugins[K]["capabilities"] | null;
  /** The JSON Schema (2020-12) of a connection's credentials; secrets are `writeOnly`. */
  credentials: SettingsSchema | null;
}

export type PlatformStatus = InstalledStatus<"platform">;
export type EsignStatus = InstalledStatus<"esign">;
export type DeliveryStatus = InstalledStatus<"delivery">;

/** A plugin of each kind with a connection's credentials. */
export interface ConnectedPlugins {
  platform: ConnectedPlatform;
  esign: ConnectedEsign;
  delivery: ConnectedDelivery;
}

/** The installed plugins of one kind, and how to connect to them. */
export abstract class PluginHost<K extends CallableKind> {
  constructor(
    private readonly kind: K,
    private readonly plugins: Plugins,
  ) {}

  /** @throws PlatenError `unavailable` when the plugin is broken or not installed, with the reason. */
  abstract connect(
    pluginId: string,
    credentials: unknown,
    connection: { id: string; organizationId: string },
  ): Promise<ConnectedPlugins[K]>;

  /** Loads all of them. Those that ship come first. */
  async list(): Promise<InstalledStatus<K>[]> {
    const all = await this.plugins.list();
    const ids = new Set(
      all.filter(({ kind }) => kind === this.kind).map(({ id }) => id),
    );
    const statuses = await Promise.all([...ids].map((id) => this.status(id)));
    return statuses.filter((status) => status !== null);
  }

  /** Without loading them. */
  listIds(): Promise<string[]> {
    return this.plugins.listIds(this.kind);
  }

  /** Null when it is not installed. */
  async status(id: string): Promise<InstalledStatus<K> | null> {
    const { kind } = this;
    const installed = await this.plugins.find(kind, id);
    if (installed === null) return null;
    const plugin = installed.loaded?.plugin;
    return {
      ...installed.status,
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
    const installed = await this.plugins.find(this.kind, id);
    if (installed === null)
      return `The plugin "${id}" is not installed. Install it again and add it to PLATEN_PLUGINS.`;
    const { title, reason } = installed.status;
    return reason === null ? null : `The plugin ${title} is broken. ${reason}`;
  }

  /** Those that can be used. */
  protected async listLoaded(): Promise<LoadedPlugin<K>[]> {
    const ids = await this.listIds();
    const loadedPlugins = await Promise.all(
      ids.map((id) => this.findLoaded(id)),
    );
    return loadedPlugins.filter((loaded) => loaded !== null);
  }

  /** Null when the plugin is broken or not installed. */
  protected async findLoaded(id: string): Promise<LoadedPlugin<K> | null> {
    return (await this.plugins.find(this.kind, id))?.loaded ?? null;
  }

  protected async getLoaded(id: string): Promise<LoadedPlugin<K>> {
    const loaded = await this.findLoaded(id);
    if (loaded) return loaded;
    const problem = await this.findProblem(id);
    throw new PlatenError("unavailable", problem ?? "");
  }
}

function toAuthorizationOffers(
  loaded: readonly LoadedPlugin<"platform" | "delivery">[],
): AuthorizationOffer[] {
  return loaded.flatMap(({ plugin: { meta, authorization } }) => {
    if (!authorization) return [];
    const { kind, id } = meta;
    const { title, needs, grants } = authorization;
    return [{ kind, id, title, needs, grants }];
  });
}

@scoped(Lifecycle.ContainerScoped)
export class PlatformHost extends PluginHost<"platform"> {
  constructor(
    @inject(Plugins) plugins: Plugins,
    @inject(PluginCalls) private readonly calls: PluginCalls,
  ) {
    super("platform", plugins);
  }

  /** The platforms where a person's consent gives credentials. */
  async listAuthorizations(): Promise<AuthorizationOffer[]> {
    return toAuthorizationOffers(await this.listLoaded());
  }

  /** The reader of uploaded files. @throws PlatenError `unavailable` when the plugin is broken, with the reason. */
  async getFileReader(): Promise<FileReader> {
    const { files } = (await this.getLoaded("file")).plugin;
    if (files) return files;
    throw new PlatenError("unavailable", "The plugin file reads no files.");
  }

  async connect(
    pluginId: string,
    credentials: unknown,
    { organizationId }: { organizationId: string },
  ): Promise<ConnectedPlatform> {
    const { plugin } = await this.getLoaded(pluginId);
    const calls = this.calls.forOrganization(organizationId);
    return new ConnectedPlatform(plugin, credentials, calls);
  }
}

@scoped(Lifecycle.ContainerScoped)
export class EsignHost extends PluginHost<"esign"> {
  constructor(
    @inject(Plugins) plugins: Plugins,
    @inject(PluginCalls) private readonly calls: PluginCalls,
    @inject(EsignWorkspaces) private readonly workspaces: EsignWorkspaces,
  ) {
    super("esign", plugins);
  }

  async connect(
    pluginId: string,
    credentials: unknown,
    { id, organizationId }: { id: string; organizationId: string },
  ): Promise<ConnectedEsign> {
    const { plugin } = await this.getLoaded(pluginId);
    const place = this.workspaces.get(id);
    const calls = this.calls.forOrganization(organizationId);
    return new ConnectedEsign(plugin, credentials, calls, place);
  }
}

@scoped(Lifecycle.ContainerScoped)
export class DeliveryHost extends PluginHost<"delivery"> {
  constructor(
    @inject(Plugins) plugins: Plugins,
    @inject(PluginCalls) private readonly calls: PluginCalls,
  ) {
    super("delivery", plugins);
  }

  /** The methods where a person's consent gives credentials. */
  async listAuthorizations(): Promise<AuthorizationOffer[]> {
    return toAuthorizationOffers(await this.listLoaded());
  }

  /** @param owner null for a connection that the operator has configured, which may be in any network. */
  async connect(
    pluginId: string,
    credentials: unknown,
    owner: { organizationId: string } | null,
  ): Promise<ConnectedDelivery> {
    const { plugin } = await this.getLoaded(pluginId);
    const calls =
      owner === null
        ? this.calls.forOperator()
        : this.calls.forOrganization(owner.organizationId);
    return new ConnectedDelivery(plugin, credentials, calls);
  }

  /** The JSON Schema of its targets; null when it is broken. */
  async findTargetSchema(id: string): Promise<SettingsSchema | null> {
    return (await this.findLoaded(id))?.plugin.target.schema ?? null;
  }
}
