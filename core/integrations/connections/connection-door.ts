import { PlatenError } from "../../plugin-api/index.js";
import type { OpenEsign, OpenPlatform } from "../host/index.js";
import type { Connection } from "../../storage/database/index.js";
import type { CredentialsVault } from "./credentials-vault.js";
import { requireKind } from "./find-connection.js";
import type { ConnectionPorts } from "./ports.js";

/** Opens connections: finds their plugin and hands it their credentials. */
export class ConnectionDoor {
  constructor(
    private readonly ports: Pick<ConnectionPorts, "hosts">,
    private readonly vault: CredentialsVault,
  ) {}

  /** @throws PlatenError `unavailable` when its plugin is gone or broken, or its credentials cannot be read. */
  open(row: Connection): Promise<OpenPlatform | OpenEsign> {
    return row.kind === "esign" ? this.openEsign(row) : this.openPlatform(row);
  }

  /** @throws PlatenError as `open` does; `invalid_request` for one that leads to a provider. */
  async openPlatform(row: Connection): Promise<OpenPlatform> {
    requireKind(row, "platform");
    const { plugin } = row;
    const credentials = await this.credentialsOf(row);
    return this.ports.hosts.platform.open({ plugin, credentials });
  }

  /** @throws PlatenError as `open` does; `invalid_request` for one that leads to a platform. */
  async openEsign(row: Connection): Promise<OpenEsign> {
    requireKind(row, "esign");
    const { id: connectionId, plugin } = row;
    const credentials = await this.credentialsOf(row);
    const { esign } = this.ports.hosts;
    return esign.open({ plugin, connectionId, credentials });
  }

  /** @throws PlatenError `invalid_request` that names those that are there. */
  async requirePlugin({
    kind,
    plugin,
  }: Pick<Connection, "kind" | "plugin">): Promise<void> {
    const host = this.ports.hosts[kind];
    if ((await host.status(plugin)) !== null) return;
    const place = kind === "esign" ? "$.provider" : "$.platform";
    const what = kind === "esign" ? "e-signature provider" : "platform";
    const ids = await host.ids();
    throw new PlatenError(
      "invalid_request",
      `${place}: there is no ${what} "${plugin}". There is: ${ids.join(", ")}.`,
    );
  }

  private async credentialsOf(row: Connection) {
    const problem = await this.ports.hosts[row.kind].problemOf(row.plugin);
    if (problem !== null) throw new PlatenError("unavailable", problem);
    return this.vault.open(row);
  }
}
