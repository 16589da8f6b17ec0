import { after, afterEach, before } from "mocha";
import { type Config, parseConfig } from "../../config/index.js";
import type { PlatformPlugin } from "../../core/plugin-api/index.js";
import * as tokens from "../../core/app/tokens.js";
import { EsignBench } from "./esign-bench.js";
import { installedPlugins } from "./installed-plugins.js";
import { MemoryEsign, memoryEsignPlugin } from "./memory-esign.js";
import { type TestServiceOptions, useService } from "./service.js";

/** Waits in milliseconds, so that tests need none. */
export const quick: Config["signatures"] = {
  ...parseConfig({}).signatures,
  retryDelaysMs: [5],
  findWaitsMs: [1, 1, 1],
  pollMs: [20, 40],
};

export type Capabilities = Parameters<typeof memoryEsignPlugin>[1];

export function useEsign({
  capabilities,
  platforms = [],
  ...options
}: TestServiceOptions & {
  capabilities?: Capabilities;
  /** Installed beside the provider. */
  platforms?: readonly PlatformPlugin[];
} = {}): EsignBench {
  const memory = new MemoryEsign();
  const service = useService({
    ...options,
    config: {
      signatures: quick,
      queue: { serverUrl: null, pollMs: 20 },
      ...options.config,
    },
    replace: (container) => {
      container.register(tokens.PLUGINS, {
        useValue: installedPlugins([
          memoryEsignPlugin(memory, capabilities),
          ...platforms,
        ]),
      });
      options.replace?.(container);
    },
  });
  const bench = new EsignBench(service, memory);
  before(() => bench.open());
  afterEach(() => memory.reset());
  after(() => memory.reset());
  return bench;
}
