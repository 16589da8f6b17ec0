// Calls to addresses that others have named: webhooks, images, connected services. Promises that no such call leads
// inside one's own networks unless they are allowed, that it ends in time, and that no more is read than asked for.
export {
  Outbound,
  type OutboundCall,
  type OutboundReply,
  type OutboundSettings,
} from "./outbound.js";
export type { Resolve, ResolvedAddress } from "./addresses.js";
