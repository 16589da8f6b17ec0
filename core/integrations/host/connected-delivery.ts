import type { z } from "zod";
import {
  type DeliveryPlugin,
  type DeliveryReceipt,
  type DeliveryRequest,
  type PlatformContext,
  PlatformError,
} from "../../plugin-api/index.js";
import { ConnectedAuthorization } from "./connected-authorization.js";
import {
  type CallLimits,
  PluginCalls,
  type PluginCallsParts,
  createRefusal,
} from "./plugin-calls.js";
import {
  type CallableDelivery,
  checkResult,
  deliveryReceipt,
} from "./plugin-contract.js";

/** The time for a call of each method, with its waits for the rate limit, in milliseconds. */
const timeoutsMs = { check: 30_000, deliver: 120_000 };

/** Connects any plugin, installed or not, and calls it as the host calls installed ones. */
export function connectDelivery(
  plugin: DeliveryPlugin,
  credentials: unknown,
  parts: PluginCallsParts,
): ConnectedDelivery {
  return new ConnectedDelivery(plugin, credentials, new PluginCalls(parts));
}

/**
 * A delivery method with a connection's credentials. Calls are rate limited, have a timeout, and their results are
 * validated. All reject with PlatenError, whose `cause` is the PlatformError when the other side refused:
 * `findPlatformError` finds it.
 */
export class ConnectedDelivery {
  constructor(
    private readonly plugin: CallableDelivery,
    private readonly credentials: unknown,
    private readonly calls: PluginCalls,
  ) {}

  get id(): string {
    return this.plugin.meta.id;
  }

  get title(): string {
    return this.plugin.meta.title;
  }

  get capabilities(): DeliveryPlugin["capabilities"] {
    return this.plugin.capabilities;
  }

  /** The JSON Schema of a delivery's target. */
  get target(): DeliveryPlugin["target"]["schema"] {
    return this.plugin.target.schema;
  }

  /** @throws PlatenError `invalid_request` when the method has no page to authorize connections. */
  get authorization(): ConnectedAuthorization {
    const { plugin, credentials, calls } = this;
    return new ConnectedAuthorization(plugin, credentials, calls);
  }

  check(limits: CallLimits = {}) {
    return this.#call("check", limits, checkResult, (context) =>
      this.plugin.check(context),
    );
  }

  /** Tries once: the caller decides by `capabilities.repeatable` whether to try again. */
  async deliver(
    request: DeliveryRequest,
    limits: CallLimits = {},
  ): Promise<DeliveryReceipt> {
    const { title, capabilities } = this;
    const total = request.files.reduce((sum, one) => sum + one.sizeBytes, 0);
    if (total > capabilities.maxBytes)
      throw createRefusal(
        title,
        new PlatformError(
          "too_large",
          `the files have ${total} bytes; the maximum is ${capabilities.maxBytes}. Use smaller images or fewer pages.`,
        ),
      );
    return this.#call("deliver", limits, deliveryReceipt, (context) =>
      this.plugin.deliver(context, request),
    );
  }

  #call<T>(
    method: keyof typeof timeoutsMs,
    limits: CallLimits,
    schema: z.ZodType<T>,
    work: (context: PlatformContext<unknown>) => Promise<unknown>,
  ): Promise<T> {
    const { plugin, credentials } = this;
    const isRepeatable = method === "check";
    return this.calls.call(
      { plugin, credentials, scope: {}, method, isRepeatable },
      { timeoutMs: timeoutsMs[method], ...limits },
      schema,
      work,
    );
  }
}
