import {
  type AuthorizationCode,
  type AuthorizationRequest,
  PlatenError,
  type PluginAuthorization,
} from "../../plugin-api/index.js";
import type { PluginCalls } from "./plugin-calls.js";
import {
  authorizationUrl,
  type CallablePlugin,
  grantedCredentials,
} from "./plugin-contract.js";

/** Calls the `authorization` of any plugin that has it, with the credentials that are there before the person consents. */
export class ConnectedAuthorization {
  readonly #authorization: PluginAuthorization<unknown>;

  /** @throws PlatenError `invalid_request` when the plugin has none. */
  constructor(
    private readonly plugin: CallablePlugin & {
      authorization?: PluginAuthorization<unknown>;
    },
    private readonly credentials: unknown,
    private readonly calls: PluginCalls,
  ) {
    const { meta, authorization } = plugin;
    if (!authorization)
      throw new PlatenError(
        "invalid_request",
        `${meta.title} has no page to authorize connections. Enter the credentials instead.`,
      );
    this.#authorization = authorization;
  }

  /** The page on which a person authorizes a connection with these credentials. */
  createUrl(request: AuthorizationRequest): Promise<string> {
    const { plugin, credentials } = this;
    const method = "authorization.createUrl";
    return this.calls.call(
      { plugin, credentials, scope: {}, method, isRepeatable: true },
      { timeoutMs: 10_000 },
      authorizationUrl,
      (context) => this.#authorization.createUrl(context, request),
    );
  }

  /** The credentials that a person's authorization gives. Tries once: a code works once. */
  async exchangeCode(code: AuthorizationCode): Promise<Record<string, string>> {
    const { plugin, credentials } = this;
    const method = "authorization.exchangeCode";
    const granted = await this.calls.call(
      { plugin, credentials, scope: {}, method, isRepeatable: false },
      { timeoutMs: 30_000 },
      grantedCredentials,
      (context) => this.#authorization.exchangeCode(context, code),
    );
    return Object.fromEntries(
      Object.entries(granted).filter(([name]) =>
        this.#authorization.grants.includes(name),
      ),
    );
  }
}
