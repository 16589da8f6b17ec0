// What stands before a request is worked on: how many may come, and that one which is sent twice is worked on once.
export { Claim, type Repeatable } from "./claim.js";
export {
  type Found,
  IdempotencyKeys,
  type KeptAnswer,
} from "./idempotency-keys.js";
export {
  type PlanLimits,
  RateLimits,
  type RateStanding,
  refuseExcess,
  type Requester,
} from "./rate-limits.js";
