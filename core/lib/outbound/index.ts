// HTTP requests to URLs that users supply: webhooks, images, connected services. Guarantees that no request reaches
// private networks unless they are allowed, that it ends in time, and that its response does not exceed the limit.
export {
  Outbound,
  type OutboundReply,
  type OutboundSettings,
  FIND_ORGANIZATION_NETWORKS,
} from "./outbound.js";
