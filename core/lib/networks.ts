import ipaddr from "ipaddr.js";
import { PlatenError } from "../plugin-api/index.js";

/** A parsed IP address; IPv4 addresses in IPv6 notation (`::ffff:10.0.0.1`) are IPv4. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

/** A list of CIDR blocks such as `10.0.0.0/8` or `fd00::/8`. */
export class Networks {
  readonly #blocks: readonly Block[];

  /** Throws for invalid blocks. */
  constructor(blocks: readonly string[]) {
    this.#blocks = blocks.map((block) => ipaddr.parseCIDR(block));
  }

  get isEmpty(): boolean {
    return this.#blocks.length === 0;
  }

  /** @param text an IP address; anything else is in no network. */
  includes(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.#blocks.some((block) => isWithin(address, block));
  }

  /** Whether one of the blocks contains this whole block. */
  covers(text: string): boolean {
    const [address, bits] = ipaddr.parseCIDR(text);
    return this.#blocks.some(
      (block) => block[1] <= bits && isWithin(address, block),
    );
  }
}

function isWithin(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** A CIDR block; a single address is a block that contains only it. Null for anything else. */
export function toCidr(word: string): string | null {
  if (ipaddr.isValidCIDR(word)) return word;
  // Some programs accept IPv4 addresses with fewer than four parts, but they are usually mistakes.
  if (!ipaddr.IPv4.isValidFourPartDecimal(word) && !ipaddr.IPv6.isValid(word))
    return null;
  return `${word}/${word.includes(":") ? 128 : 32}`;
}

const maxNetworks = 100;

/** CIDR blocks of a list of words. @throws PlatenError `invalid_request` that names each invalid word. */
export function parseNetworks(words: readonly string[]): string[] {
  const wrong = words.filter((word) => toCidr(word) === null);
  if (wrong.length > 0)
    throw new PlatenError(
      "invalid_request",
      `Not a network: ${wrong.map((word) => `"${word}"`).join(", ")}. ` +
        "Write networks as address/bits, such as 10.20.0.0/16 or fd12:3456::/48.",
    );
  if (words.length > maxNetworks)
    throw new PlatenError(
      "invalid_request",
      `There can be at most ${maxNetworks} networks. Combine some of them.`,
    );
  return [...new Set(words.flatMap((word) => toCidr(word) ?? []))];
}
