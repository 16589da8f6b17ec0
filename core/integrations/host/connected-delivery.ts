import {
  type DeliveryPlugin,
  type DeliveryReceipt,
  type DeliveryRequest,
  PlatformError,
} from "../../plugin-api/index.js";
import { ConnectedPlugin } from "./connected-plugin.js";
import type { CallLimits } from "./plugin-calls.js";
import { createRefusal } from "./platform-errors.js";
import { deliveryMethods } from "./plugin-methods.js";

export class ConnectedDelivery extends ConnectedPlugin<"delivery"> {
  get target(): DeliveryPlugin["target"]["schema"] {
    return this.plugin.target.schema;
  }

  check(limits: CallLimits = {}) {
    return this.call(deliveryMethods.check, {}, limits, (context) =>
      this.plugin.check(context),
    );
  }

  /** Tries once: the caller decides by `capabilities.repeatable` whether to try again. */
  async deliver(
    request: DeliveryRequest,
    limits: CallLimits = {},
  ): Promise<DeliveryReceipt> {
    const { title, capabilities } = this;
    const total = request.files.reduce((sum, file) => sum + file.sizeBytes, 0);
    if (total > capabilities.maxBytes)
      throw createRefusal(
        title,
        new PlatformError(
          "too_large",
          `the files have ${total} bytes; the maximum is ${capabilities.maxBytes}. Use smaller images or fewer pages.`,
        ),
      );
    return this.call(deliveryMethods.deliver, {}, limits, (context) =>
      this.plugin.deliver(context, request),
    );
  }
}
