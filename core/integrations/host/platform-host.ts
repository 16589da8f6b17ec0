import { PluginCalls, type PluginCallsParts } from "./call/plugin-calls.js";
import { ConnectedPlatform } from "./connected-platform.js";
import type { OpenPlatform } from "./open-platform.js";
import { PluginHost } from "./plugin-host.js";
import type { Plugins } from "./plugins.js";

/** The platforms that are installed, and the way to call them. */
export class PlatformHost extends PluginHost<"platform"> {
  private readonly calls: PluginCalls;

  constructor(plugins: Plugins, parts: PluginCallsParts) {
    super("platform", plugins);
    this.calls = new PluginCalls(parts);
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
}
