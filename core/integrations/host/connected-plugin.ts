import {
  type AuthorizationCode,
  type AuthorizationRequest,
  PlatenError,
  type PlatformContext,
  type PluginAuthorization,
  type TableScope,
} from "../../plugin-api/index.js";
import type { CallLimits, PluginCalls } from "./plugin-calls.js";
import type {
  CallableKind,
  CallablePlugin,
  CallablePlugins,
} from "./plugin-contract.js";
import { authorizationMethods, type PluginMethod } from "./plugin-methods.js";
import type { RequestLimiter } from "./request-limiter.js";

/**
 * A plugin with a connection's credentials. Calls are rate limited, have a timeout, are repeated where that is safe, and
 * their results are validated. All reject with PlatenError, whose `cause` is the PlatformError when the other side
 * refused: `findPlatformError` finds it.
 */
export class ConnectedPlugin<K extends CallableKind> {
  constructor(
    protected readonly plugin: CallablePlugins[K],
    protected readonly credentials: unknown,
    private readonly calls: PluginCalls,
  ) {}

  get id(): string {
    return this.plugin.meta.id;
  }

  get title(): string {
    return this.plugin.meta.title;
  }

  get capabilities(): CallablePlugins[K]["capabilities"] {
    return this.plugin.capabilities;
  }

  /** The rate limit of calls in this scope: the same object for all that share it. */
  getLimiter(
    scope: Partial<TableScope>,
  ): Promise<Pick<RequestLimiter, "state">> {
    const { plugin, credentials } = this;
    return this.calls.getLimiter({ plugin, credentials, scope });
  }

  /** @throws PlatenError `invalid_request` when the plugin has no page to authorize connections. */
  get authorization(): ConnectedAuthorization {
    const { authorization }: CallablePlugin = this.plugin;
    if (authorization)
      return new ConnectedAuthorization(authorization, (method, work) =>
        this.call(method, {}, {}, work),
      );
    throw new PlatenError(
      "invalid_request",
      `${this.title} has no page to authorize connections. Enter the credentials instead.`,
    );
  }

  protected call<T>(
    method: PluginMethod<T>,
    scope: Partial<TableScope>,
    limits: CallLimits,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    const { plugin, credentials } = this;
    return this.calls.call(
      { plugin, credentials, scope, method },
      limits,
      work,
    );
  }
}

/** Calls the `authorization` of a plugin, with the credentials that are there before the person consents. */
export class ConnectedAuthorization {
  constructor(
    private readonly authorization: PluginAuthorization<unknown>,
    private readonly call: <T>(
      method: PluginMethod<T>,
      work: (context: PlatformContext<unknown>) => Promise<unknown>,
    ) => Promise<T>,
  ) {}

  /** The page on which a person authorizes a connection with these credentials. */
  createUrl(request: AuthorizationRequest): Promise<string> {
    const method = authorizationMethods["authorization.createUrl"];
    return this.call(method, (context) =>
      this.authorization.createUrl(context, request),
    );
  }

  /** The credentials that a person's authorization gives. Tries once: a code works once. */
  async exchangeCode(code: AuthorizationCode): Promise<Record<string, string>> {
    const method = authorizationMethods["authorization.exchangeCode"];
    const granted = await this.call(method, (context) =>
      this.authorization.exchangeCode(context, code),
    );
    return Object.fromEntries(
      Object.entries(granted).filter(([name]) =>
        this.authorization.grants.includes(name),
      ),
    );
  }
}
