import { PlatenError } from "../../plugin-api/index.js";
import type { SecretBox } from "../../lib/secrets.js";
import type { Connection } from "../../storage/database/index.js";
import { parseCredentials } from "./connection-input.js";
import type { Hosts } from "./ports.js";

type Sealed = Pick<Connection, "id" | "kind" | "plugin" | "credentials">;

/** Credentials on their way in and out of a row. */
export class CredentialsVault {
  constructor(
    private readonly hosts: Hosts,
    private readonly secrets: SecretBox,
  ) {}

  /** Checks them by the plugin's schema, and encrypts them for this row. @throws PlatenError as `problemOf` tells. */
  async close(
    { id, kind, plugin }: Pick<Connection, "id" | "kind" | "plugin">,
    credentials: object,
  ): Promise<Pick<Connection, "credentials" | "secretKeyId">> {
    const check = await this.hosts[kind].credentialsCheck(plugin);
    const text = parseCredentials(credentials, check);
    const sealed = await this.secrets.seal(text, id);
    return { credentials: sealed, secretKeyId: this.secrets.keyId };
  }

  /** @throws PlatenError `unavailable` when the service's secret was changed. */
  async open({ id, credentials }: Sealed): Promise<Record<string, unknown>> {
    const text = await this.secrets.open(credentials, id);
    const value: unknown = JSON.parse(text);
    return { ...Object(value) };
  }

  /** What is no secret of them, and why the connection cannot be used; null when it can. */
  async look(
    row: Sealed,
  ): Promise<{ credentials: Record<string, unknown>; problem: string | null }> {
    const host = this.hosts[row.kind];
    const problem = await host.problemOf(row.plugin);
    if (problem !== null) return { credentials: {}, problem };
    try {
      const check = await host.credentialsCheck(row.plugin);
      const credentials = check.openPart(await this.open(row));
      return { credentials, problem: null };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { credentials: {}, problem: error.message };
    }
  }
}
