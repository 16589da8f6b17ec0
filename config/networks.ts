import ipaddr from "ipaddr.js";
import { z } from "zod";

/** Reads a list of networks in CIDR notation; an address alone is the network that holds only it. */
export const networks = z
  .string()
  .prefault("")
  .transform((text, context) => {
    const words = text.split(/[\s,]+/).filter((word) => word !== "");
    const blocks = words.map(blockOf);
    if (blocks.every((block) => block !== null)) return blocks;
    context.addIssue("no network");
    return z.NEVER;
  });

function blockOf(word: string): string | null {
  if (ipaddr.isValidCIDR(word)) return word;
  // IPv4 in fewer than four parts is an address to some programs and a mistake to most people.
  if (!ipaddr.IPv4.isValidFourPartDecimal(word) && !ipaddr.IPv6.isValid(word))
    return null;
  return `${word}/${word.includes(":") ? 128 : 32}`;
}
