import { DOCUMENT_DELIVERIES } from "../batches/tokens.js";
import {
  type DependencyContainer,
  registerClass,
  registerFactory,
} from "../lib/injection.js";
import { CONFIG } from "../lib/tokens.js";
import { DELIVERY_METHODS } from "../integrations/host/tokens.js";
import { CONNECTIONS } from "../integrations/connections/tokens.js";
import type { CheckDeliver } from "../templates/index.js";
import { CHECK_DELIVER } from "../templates/tokens.js";
import { Deliveries, DeliveryConnections, DeliveryWorker } from "./index.js";
import * as t from "./tokens.js";

export function registerDeliveries(container: DependencyContainer): void {
  registerClass(container, t.DELIVERIES, Deliveries);
  registerClass(container, t.DELIVERY_WORKER, DeliveryWorker);
  registerFactory(container, DOCUMENT_DELIVERIES, (c) =>
    c.resolve(t.DELIVERIES),
  );
  registerFactory(
    container,
    CHECK_DELIVER,
    (c): CheckDeliver =>
      (order) =>
        c.resolve(t.DELIVERIES).check(order),
  );
  registerFactory(
    container,
    t.DELIVERY_CONNECTIONS,
    (c) =>
      new DeliveryConnections(
        c.resolve(CONNECTIONS),
        c.resolve(DELIVERY_METHODS),
        c.resolve(CONFIG).mail,
      ),
  );
  registerFactory(
    container,
    t.DELIVERY_DELAYS_MS,
    (c) => c.resolve(CONFIG).platforms.writeBackDelaysMs,
  );
}
