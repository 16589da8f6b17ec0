import {
  shippedDeliveries,
  shippedFileStores,
  shippedPlatforms,
  shippedProviders,
} from "../../plugins/index.js";
import type { FoundPlugin } from "../integrations/host/index.js";

/** The plugins that ship with Platen. Capabilities may not import them. */
export function listShippedPlugins(version: string): FoundPlugin[] {
  const shipped = { version, source: "shipped", fault: null };
  return [
    ...shippedPlatforms.map((one) => ({
      ...shipped,
      ...one,
      kind: "platform" as const,
      load: () => one.load(),
    })),
    ...shippedProviders.map((one) => ({
      ...shipped,
      ...one,
      kind: "esign" as const,
      load: () => one.load(),
    })),
    ...shippedDeliveries.map((one) => ({
      ...shipped,
      ...one,
      kind: "delivery" as const,
      load: () => one.load(),
    })),
    ...shippedFileStores.map((one) => ({
      ...shipped,
      ...one,
      kind: "file-store" as const,
      load: () => one.load(),
    })),
  ];
}
