import { drive, type drive_v3 } from "@googleapis/drive";
import { sheets, type sheets_v4 } from "@googleapis/sheets";
import type { PlatformContext } from "../../core/plugin-api/index.js";
import { type AccessTokens, authOf, type GoogleAuth } from "./auth.js";
import type { GoogleCredentials } from "./credentials.js";
import { type Asked, googleFault } from "./fault.js";
import { HostFetch } from "./host-fetch.js";

/** Speaks to Google for one call of the plugin, one request after the other. */
export class GoogleClient {
  readonly sheets: sheets_v4.Sheets;
  readonly drive: drive_v3.Drive;
  private readonly fetch: HostFetch;
  private readonly auth: GoogleAuth;

  constructor(
    readonly context: PlatformContext<GoogleCredentials>,
    tokens: AccessTokens,
  ) {
    this.fetch = new HostFetch(context);
    this.auth = authOf(context.credentials, tokens, this.fetch.send);
    // The host asks again; nobody else does.
    const options = { auth: this.auth.client, retry: false };
    this.sheets = sheets({ version: "v4", ...options });
    this.drive = drive({ version: "v3", ...options });
  }

  /** The e-mail address of a service account; null for a user. */
  get account(): string | null {
    return this.auth.serviceAccount;
  }

  /**
   * Sends one request of a client.
   * @throws PlatformError that says what is wrong with it.
   */
  async ask<T>(
    asked: Omit<Asked, "account">,
    send: () => Promise<{ data: T }>,
  ): Promise<T> {
    try {
      const { data } = await send();
      return data;
    } catch (error) {
      const { account } = this;
      throw googleFault(error, this.fetch, { ...asked, account });
    }
  }

  /** A request that the clients know no method for. */
  async request(
    asked: Omit<Asked, "account">,
    url: string,
    init: {
      method: "POST" | "PUT";
      headers: Record<string, string>;
      data: string | Uint8Array;
    },
  ): Promise<{ data: unknown; headers: Headers }> {
    const { client } = this.auth;
    try {
      return await client.request<unknown>({ url, retry: false, ...init });
    } catch (error) {
      const { account } = this;
      throw googleFault(error, this.fetch, { ...asked, account });
    }
  }
}
