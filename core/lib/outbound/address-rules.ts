import ipaddr from "ipaddr.js";

/** A parsed address; those of IPv4 that are written as IPv6 (`::ffff:10.0.0.1`) are IPv4 here. */
type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** What an address is to us: on the internet, in a network that the operator allowed, or neither. */
export type Standing = "public" | "own" | "refused";

/** Azure's own service for its machines answers at an address that looks public. */
const LOOKS_PUBLIC: readonly string[] = ["168.63.129.16"];

/** All of IPv6 that has been given out for the internet; 6to4, Teredo and the like in it are refused by their kind. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Which addresses may be called: those of the internet, and those of the networks that are listed. */
export class AddressRules {
  private readonly own: readonly Network[];

  /** @param networks CIDR blocks, such as `10.0.0.0/8` or `fd00::/8`; throws when one is not. */
  constructor(networks: readonly string[]) {
    this.own = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** Whether the operator allowed any network of their own. */
  get hasOwn(): boolean {
    return this.own.length > 0;
  }

  /** @param text an address of IPv4 or IPv6; anything else is refused. */
  standing(text: string): Standing {
    if (!ipaddr.isValid(text)) return "refused";
    const address = ipaddr.process(text);
    if (this.own.some((network) => isWithin(address, network))) return "own";
    return isPublic(address) ? "public" : "refused";
  }
}

/** Addresses that carry one of IPv4 inside (6to4, NAT64, Teredo) have a kind of their own, hence are not public. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  if (LOOKS_PUBLIC.includes(address.toString())) return false;
  return address.kind() === "ipv4" || isWithin(address, GLOBAL_UNICAST);
}

function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
