import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.js";
import { bareHost, checkStanding } from "./callable-url.js";
import { type Resolve, systemResolver } from "./system-resolver.js";

/** The first address of a host, when all of them may be called. @throws PlatenError `invalid_request`. */
export async function checkedAddress(
  host: string,
  rules: AddressRules,
  resolve: Resolve = systemResolver(),
): Promise<string> {
  const name = bareHost(host);
  const found =
    isIP(name) === 0 ? await resolve(name) : [{ address: name, family: 0 }];
  for (const { address } of found)
    checkStanding("https:", name, address, rules);
  const [first] = found;
  if (!first) throw new Error("the host has no address");
  return first.address;
}
