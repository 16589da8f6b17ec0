import { PluginCalls, type PluginCallsParts } from "./call/plugin-calls.js";
import { ConnectedEsign } from "./esign/connected-esign.js";
import type { ConnectionPlace, EsignPlaces } from "./esign/esign-places.js";
import type { OpenEsign } from "./esign/open-esign.js";
import { PluginHost } from "./plugin-host.js";
import type { Plugins } from "./plugins.js";

/** The e-signature providers that are installed, and the way to call them. */
export class EsignHost extends PluginHost<"esign"> {
  private readonly calls: PluginCalls;

  constructor(
    plugins: Plugins,
    parts: PluginCallsParts,
    private readonly places: EsignPlaces,
  ) {
    super("esign", plugins);
    this.calls = new PluginCalls(parts);
  }

  /** @throws PlatenError `unavailable` when the plugin is broken or not installed, with the reason. */
  async open({
    plugin: id,
    connectionId,
    credentials,
  }: {
    plugin: string;
    connectionId: string;
    credentials: unknown;
  }): Promise<OpenEsign> {
    const { plugin } = await this.ready(id);
    const place: ConnectionPlace = this.places.of(connectionId);
    return new ConnectedEsign(plugin, { credentials, place }, this.calls);
  }
}
