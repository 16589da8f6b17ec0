import ipaddr from "ipaddr.js";

const privateNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|test)$/;

/** Whether others on the internet can be told this address, as far as can be seen without asking for it. */
export function isPublicAddress(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === "unicast";
  return host.includes(".") && !privateNames.test(host);
}
