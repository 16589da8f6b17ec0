import { readdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { exports as exportsOf, legacy } from "resolve.exports";
import semver from "semver";
import { z } from "zod";
import type { AuthorizationOffer, PluginAbility, PluginInfo } from "./views.js";
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
  type FileReader,
  type Log,
  PlatenError,
  type SettingsSchema,
  PLUGIN_API,
  PLUGIN_KINDS,
} from "../../plugin-api/index.js";
import { CONFIG, PACKAGE, LOG } from "../../lib/process-values.js";
import { EsignWorkspaces, ConnectedEsign } from "./connected-esign.js";
import { ConnectedDelivery } from "./connected-delivery.js";
import { ConnectedPlatform } from "./connected-platform.js";
import {
  CredentialsSchema,
  type CallableKind,
  type CallablePlatform,
  type FoundPlugin,
  isCallable,
  isOfKind,
  type LoadedPlugin,
  parsePlugin,
  type PluginStatus,
  type CallablePlugins,
  CALLABLE_KINDS,
} from "./plugin-contract.js";
import { PluginCalls } from "./plugin-calls.js";
import { PluginProcesses } from "./plugin-processes.js";

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
    const { shipped } = this.options;
    this.found ??= findPackages(this.options).then((installed) =>
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

  private async load(found: FoundPlugin): Promise<LoadResult> {
    const loading = this.loading.get(found) ?? this.tryToLoad(found);
    this.loading.set(found, loading);
    return loading;
  }

  private async tryToLoad(found: FoundPlugin): Promise<LoadResult> {
    const { log } = this.options;
    if (found.fault !== null) {
      const { source: plugin, fault: reason } = found;
      log.error({ plugin, reason }, "a plugin cannot be used");
      return { loaded: null, reason };
    }
    // Shipped plugins of other kinds are loaded by those that use them.
    if (!isCallable(found.kind)) return { loaded: null, reason: null };
    try {
      const value = await found.load();
      const plugin = parsePlugin(found.kind, value, found.id);
      const { schema } = plugin.credentials;
      const credentials = await CredentialsSchema.compile(schema);
      return { loaded: { plugin, credentials }, reason: null };
    } catch (error) {
      log.error({ err: error, plugin: found.id }, "a plugin cannot be used");
      // Its process ended, which a busy machine may have caused: a later use tries again.
      if (error instanceof PlatenError)
        clock.after(retryLoadMs, () => this.loading.delete(found)).unref();
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
    const found =
      reason === null && isCallable(kind)
        ? await this.plugins.find(kind, id)
        : null;
    const plugin = found?.loaded?.plugin;
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
  return all.filter((one) => one !== false);
}

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

  /** Those that can be used. */
  protected async listLoaded(): Promise<LoadedPlugin<K>[]> {
    const ids = await this.listIds();
    const found = await Promise.all(ids.map((id) => this.findLoaded(id)));
    return found.filter((loaded) => loaded !== null);
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

interface PackagePlaces {
  /** Names of packages, and paths of folders. */
  names: readonly string[];
  /** Each folder in it is a plugin, and its node_modules are searched first. */
  folder: string;
  /** Folders whose node_modules, and those of their parents, are searched as Node does. */
  roots: readonly string[];
}

interface PackageOptions {
  places: PackagePlaces;
  /** Where plugins from outside of the package run. */
  processes: PluginProcesses;
  platenVersion: string;
}

/** Finds every plugin that is configured or in the plugin folder. Runs none of their code. */
async function findPackages(options: PackageOptions): Promise<FoundPlugin[]> {
  const { names, folder } = options.places;
  const configured = names.map(
    async (name) =>
      (await findPackage(name, options)) ?? createMissingPlugin(name, folder),
  );
  const others = (await listFolders(folder)).map((one) =>
    findPackage(one, options),
  );
  const found = await Promise.all([...configured, ...others]);
  return found.filter((plugin) => plugin !== null);
}

async function listFolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isFile() && /^[^.]/.test(entry.name))
      .filter(({ name }) => name !== "node_modules")
      .map(({ name }) => join(folder, name))
      .toSorted();
  } catch {
    // Most installations have no such folder.
    return [];
  }
}

async function findPackage(
  name: string,
  options: PackageOptions,
): Promise<FoundPlugin | null> {
  for (const folder of listCandidates(name, options.places)) {
    const file = await readPackageFile(folder);
    if (file === null) continue;
    const source = isPath(name) ? folder : name;
    return "platen" in file
      ? createFoundPlugin(folder, source, file, options)
      : createBrokenPlugin(source, `${file.fault} Tell its author.`);
  }
  return null;
}

/** The folders where a package may be, the nearest first. */
function listCandidates(
  name: string,
  { folder, roots }: PackagePlaces,
): string[] {
  if (isPath(name)) return [resolve(name)];
  return [folder, ...roots.flatMap(listParents)].map((place) =>
    join(place, "node_modules", name),
  );
}

function listParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listParents(parent)];
}

function isPath(name: string): boolean {
  return isAbsolute(name) || name.startsWith(".");
}

/** The fields of a plugin's package.json that matter here. */
const packageFile = z.looseObject({
  name: z.string(),
  version: z.string(),
  platen: z.object({
    kind: z.enum(PLUGIN_KINDS),
    id: z
      .string()
      .max(64)
      .regex(/^[a-z0-9][a-z0-9-]*$/),
    title: z.string().min(1).max(200),
    api: z.number().int(),
    platen: z.string().min(1),
  }),
});
type PackageFile = z.output<typeof packageFile>;

/** Reads a folder's package.json, or says why it is invalid; null when there is none. */
async function readPackageFile(
  folder: string,
): Promise<PackageFile | { fault: string } | null> {
  const path = join(folder, "package.json");
  try {
    const parsed = packageFile.safeParse(
      JSON.parse(await readFile(path, "utf8")),
    );
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const field = ["$", ...(issue?.path ?? [])].join(".");
    return { fault: `${path}: ${field}: ${issue?.message ?? "invalid"}.` };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    const message = error instanceof Error ? error.message : String(error);
    return { fault: `${path} cannot be read: ${message}.` };
  }
}

function createFoundPlugin(
  folder: string,
  source: string,
  file: PackageFile,
  { platenVersion, processes }: PackageOptions,
): FoundPlugin {
  const { kind, id, title } = file.platen;
  const entry = findEntry(folder, file);
  const fault =
    checkCompatibility(file, platenVersion) ??
    (entry === null
      ? "The main file that its package.json names is not inside its folder. Tell its author."
      : null);
  return {
    kind,
    id,
    title,
    version: file.version,
    source,
    fault,
    load: () =>
      processes.load({ kind, id, entry: pathToFileURL(entry ?? "").href }),
  };
}

/** Why a plugin cannot run with this version of Platen, according to its package.json; null when it can. */
function checkCompatibility(
  { platen: { kind, api, platen: range } }: PackageFile,
  platenVersion: string,
): string | null {
  if (!isCallable(kind))
    return `It is of the kind "${kind}", but only platforms, e-signature providers and delivery methods ("${CALLABLE_KINDS.join('", "')}") can be installed. Remove it.`;
  if (api !== PLUGIN_API)
    return `It is written for version ${api} of the plugin contract, and this Platen has version ${PLUGIN_API}. Update ${api > PLUGIN_API ? "Platen" : "the plugin"}.`;
  if (semver.validRange(range) === null)
    return `Its package.json says platen.platen: "${range}", which is no semver range. Tell its author.`;
  const options = { includePrerelease: true };
  if (semver.satisfies(platenVersion, range, options)) return null;
  const isOld = semver.gtr(platenVersion, range, options);
  return `It runs with Platen ${range}, and this is ${platenVersion}. Update ${isOld ? "the plugin" : "Platen"}.`;
}

/** The file that runs when a package is imported, as Node finds it; null when it is not inside the package's folder. */
function findEntry(folder: string, file: PackageFile): string | null {
  const named = findExportedEntry(file) ?? legacy(file, { browser: false });
  const entry = Array.isArray(named) ? named[0] : named;
  const path = resolve(folder, typeof entry === "string" ? entry : "index.js");
  return path.startsWith(folder + sep) ? path : null;
}

function findExportedEntry(file: PackageFile): string | undefined {
  try {
    return exportsOf(file, ".")?.[0];
  } catch {
    // The package has exports, but none for ".".
    return undefined;
  }
}

function createMissingPlugin(name: string, folder: string): FoundPlugin {
  return createBrokenPlugin(
    name,
    isPath(name)
      ? `There is no package.json in ${resolve(name)}. Correct the path in PLATEN_PLUGINS.`
      : `There is no package of this name. Install it (npm install --prefix ${folder} ${name}), or remove it from PLATEN_PLUGINS.`,
  );
}

function createBrokenPlugin(source: string, fault: string): FoundPlugin {
  return {
    kind: null,
    id: source,
    title: source,
    version: null,
    source,
    fault,
    load: () => Promise.resolve(null),
  };
}
