import { PlatenError, type PlatformPlugin } from "../contract/index.js";
import {
  PlatformCalls,
  type PlatformCallsParts,
} from "./call/platform-calls.js";
import { ConnectedPlatform } from "./connected-platform.js";
import type { OpenPlatform } from "./open-platform.js";
import type { PlatformStatus } from "./platform-status.js";
import type { LoadedPlatform, Plugins } from "./plugins.js";
import type { SettingsCheck } from "./settings-check.js";

/** The platforms that are installed, and the way to call them. */
export class PlatformHost {
  private readonly calls: PlatformCalls;

  constructor(
    private readonly plugins: Plugins,
    parts: PlatformCallsParts,
  ) {
    this.calls = new PlatformCalls(parts);
  }

  /** Those that ship first. Loads all of them. */
  async list(): Promise<PlatformStatus[]> {
    const all = await this.plugins.list();
    const ids = new Set(
      all.filter(({ kind }) => kind === "platform").map(({ id }) => id),
    );
    const found = await Promise.all([...ids].map((id) => this.status(id)));
    return found.filter((status) => status !== null);
  }

  /** Of those that are installed, without loading them. */
  ids(): Promise<string[]> {
    return this.plugins.platformIds();
  }

  /** Null: none with this id is installed. */
  async status(id: string): Promise<PlatformStatus | null> {
    const found = await this.plugins.platform(id);
    if (found === null) return null;
    const plugin = found.platform?.plugin;
    return {
      ...found.status,
      kind: "platform",
      capabilities: plugin?.capabilities ?? null,
      credentials: plugin?.credentials.schema ?? null,
    };
  }

  /** Null: none with this id is installed, or it is broken. */
  async find(id: string): Promise<PlatformPlugin | null> {
    return (await this.plugins.platform(id))?.platform?.plugin ?? null;
  }

  /** Checks the credentials of a platform's connections. @throws PlatenError as `open` does. */
  async credentialsCheck(id: string): Promise<SettingsCheck> {
    return (await this.ready(id)).credentials;
  }

  /** @throws PlatenError `unavailable` when the plugin is broken or not installed, with the reason. */
  async open({
    plugin: id,
    credentials,
  }: {
    plugin: string;
    credentials: unknown;
  }): Promise<OpenPlatform> {
    const { plugin } = await this.ready(id);
    return new ConnectedPlatform(plugin, credentials, this.calls);
  }

  /** Why a platform cannot be used; null when it can. */
  async problemOf(id: string): Promise<string | null> {
    const found = await this.plugins.platform(id);
    if (found === null)
      return `The plugin "${id}" is not installed. Install it again, and name it in PLATEN_PLUGINS.`;
    const { title, reason } = found.status;
    return reason === null ? null : `The plugin ${title} is broken. ${reason}`;
  }

  private async ready(id: string): Promise<LoadedPlatform> {
    const found = await this.plugins.platform(id);
    if (found?.platform) return found.platform;
    const problem = await this.problemOf(id);
    throw new PlatenError("unavailable", problem ?? "");
  }
}
