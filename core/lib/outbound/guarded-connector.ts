import { isIP, type LookupFunction } from "node:net";
import { callbackify } from "node:util";
import type { buildConnector } from "undici";
import type { AddressRules } from "./address-rules.js";
import { bareHost, checkStanding } from "./callable-url.js";
import { type Resolve, systemResolver } from "./system-resolver.js";

/**
 * Opens connections for undici. A host is looked up once, every address of it is checked, and the socket is handed
 * just these addresses: there is no second look-up that could answer otherwise.
 */
export function guardedConnector(
  build: typeof buildConnector,
  rules: AddressRules,
  resolve: Resolve = systemResolver(),
): buildConnector.connector {
  const open = (protocol: string) =>
    // Only with the flag does a socket ask for all addresses at once, and try them in turn.
    build({
      lookup: guardedLookup(protocol, rules, resolve),
      autoSelectFamily: true,
    });
  const [plain, secure] = [open("http:"), open("https:")];
  return (options, callback) => {
    const host = bareHost(options.hostname);
    try {
      // An address is dialled as it is: nothing looks it up.
      if (isIP(host) !== 0) checkStanding(options.protocol, host, host, rules);
    } catch (error) {
      callback(asError(error), null);
      return;
    }
    const connect = options.protocol === "https:" ? secure : plain;
    connect(options, callback);
  };
}

function guardedLookup(
  protocol: string,
  rules: AddressRules,
  resolve: Resolve,
): LookupFunction {
  const checked = async (host: string) => {
    const addresses = await resolve(host);
    for (const { address } of addresses)
      checkStanding(protocol, host, address, rules);
    return addresses;
  };
  const answer = callbackify(checked);
  return (host, _options, callback) => {
    answer(host, (error, addresses) => callback(error, addresses ?? []));
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
