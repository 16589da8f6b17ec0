import type { SecretBox } from "../../lib/secrets.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Connection } from "../../storage/database/index.js";
import type { EsignHost, PlatformHost } from "../host/index.js";

/** The host of the plugins for each kind of connection. */
export interface ConnectionHosts {
  platform: PlatformHost;
  esign: EsignHost;
}

type EncryptedRow = Pick<Connection, "id" | "kind" | "plugin" | "credentials">;

const maxCredentials = 64 * 1024;

/** Validates, encrypts and decrypts the credentials of connections. */
export class CredentialsVault {
  constructor(
    private readonly hosts: ConnectionHosts,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Encrypts credentials for this row. @throws PlatenError `invalid_request` with all that the plugin's schema rejects,
   * never with a value; `unavailable` when the plugin cannot be used.
   */
  async encrypt(
    { id, kind, plugin }: Pick<Connection, "id" | "kind" | "plugin">,
    credentials: object,
  ): Promise<Pick<Connection, "credentials" | "secretKeyId">> {
    const schema = await this.hosts[kind].getCredentialsSchema(plugin);
    const problems = schema.validate(credentials, "$.credentials");
    if (problems.length > 0)
      throw new PlatenError(
        "invalid_request",
        "The credentials do not match the plugin's schema.",
        { problems },
      );
    const text = JSON.stringify(credentials);
    if (text.length > maxCredentials)
      throw new PlatenError(
        "invalid_request",
        `$.credentials: must have at most ${maxCredentials} characters.`,
      );
    const encrypted = await this.secrets.seal(text, id);
    return { credentials: encrypted, secretKeyId: this.secrets.keyId };
  }

  /** @throws PlatenError `unavailable` when the plugin cannot be used, or the service's secret was changed. */
  async decrypt(row: EncryptedRow): Promise<Record<string, unknown>> {
    const problem = await this.hosts[row.kind].findProblem(row.plugin);
    if (problem !== null) throw new PlatenError("unavailable", problem);
    const text = await this.secrets.open(row.credentials, row.id);
    const value: unknown = JSON.parse(text);
    return { ...Object(value) };
  }

  /** The credentials without secrets, and why the connection cannot be used; null when it can. */
  async inspect(
    row: EncryptedRow,
  ): Promise<{ credentials: Record<string, unknown>; problem: string | null }> {
    try {
      const value = await this.decrypt(row);
      const host = this.hosts[row.kind];
      const schema = await host.getCredentialsSchema(row.plugin);
      return { credentials: schema.pickPublic(value), problem: null };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { credentials: {}, problem: error.message };
    }
  }
}
