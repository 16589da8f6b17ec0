import type { EsignProvider } from "../../core/plugin-api/index.js";
import {
  connectEsign,
  RequestLimiters,
  type OpenEsign,
} from "../../core/integrations/host/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import { silentLog } from "./store-log.js";

/** A provider with credentials, called as the host calls it. */
export function connectedEsign<C>(
  provider: EsignProvider<C>,
  credentials: C,
  {
    allowed = ["127.0.0.0/8"],
    limiters = new RequestLimiters(1),
    folder = "",
  } = {},
): OpenEsign {
  const outbound = new Outbound({
    allowPrivateNetworks: allowed,
    log: silentLog,
  });
  const parts = {
    outbound,
    limiters,
    userAgent: "Platen tests",
    log: silentLog,
  };
  const place = {
    folder: () => Promise.resolve(folder),
    pageAddress: (path: string) => `http://127.0.0.1/esign/test/${path}`,
  };
  return connectEsign(provider, { credentials, place }, parts);
}
