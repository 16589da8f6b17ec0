import { createToken } from "../lib/tokens.js";
import type {
  Deliveries,
  DeliveryConnections,
  DeliveryWorker,
} from "./index.js";

export const DELIVERIES = createToken<Deliveries>("Deliveries");
export const DELIVERY_CONNECTIONS = createToken<DeliveryConnections>(
  "DeliveryConnections",
);
/** Delivers documents, one for each job. */
export const DELIVERY_WORKER = createToken<DeliveryWorker>("DeliveryWorker");
/** The waits before retries of a delivery, in milliseconds. */
export const DELIVERY_DELAYS_MS =
  createToken<readonly number[]>("delivery delays");
