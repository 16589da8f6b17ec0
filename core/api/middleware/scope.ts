import { requireScope, type Scope } from "../../accounts/index.js";
import type { HttpMiddleware } from "../http-state.js";
import { callerOf } from "./api-key.js";

/** Refuses a key that lacks this scope, with 400 as the specification says. Only behind `apiKey`. */
export function scope(needed: Scope): HttpMiddleware {
  return async (ctx, next) => {
    requireScope(callerOf(ctx), needed);
    await next();
  };
}
