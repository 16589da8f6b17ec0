import { after, before } from "mocha";
import type { ConnectedEsign } from "../../core/integrations/host/index.js";
import type { EsignProvider } from "../../core/plugin-api/index.js";
import { connectedEsign } from "../support/esign.js";

/** Starts a fake provider for the calling suite, and connects its plugin to it. */
export function useProvider<
  C,
  Fake extends { credentials: C; close(): Promise<void> },
>(
  plugin: EsignProvider<C>,
  start: () => Promise<Fake>,
): { readonly fake: Fake; readonly provider: ConnectedEsign } {
  let started: { fake: Fake; provider: ConnectedEsign } | undefined;
  before(async () => {
    const fake = await start();
    started = { fake, provider: connectedEsign(plugin, fake.credentials) };
  });
  after(() => started?.fake.close());
  const get = () => {
    if (started) return started;
    throw new Error("the fake has not been started");
  };
  return {
    get fake() {
      return get().fake;
    },
    get provider() {
      return get().provider;
    },
  };
}
