// HTTP requests to URLs that users supply: webhooks, images, connected services. Guarantees that no request reaches
// private networks unless they are allowed, that it ends in time, and that no more than the limit is read.
export {
  Outbound,
  type OutboundCall,
  type OutboundReply,
  type OutboundSettings,
} from "./outbound.js";
export type { Resolve, ResolvedAddress } from "./addresses.js";
