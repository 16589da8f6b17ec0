import { Router } from "@koa/router";
import type { HttpState } from "../http-state.js";

/** Throws PlatenError `unavailable`, which says what is missing, while the service cannot render. */
export type ReadinessCheck = () => Promise<void>;

/** For whoever watches the service: alive, and able to work. */
export function healthRoutes(isReady: ReadinessCheck): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/health/live", (ctx) => {
    ctx.body = { status: "live" };
  });
  router.get("/health/ready", async (ctx) => {
    await isReady();
    ctx.body = { status: "ready" };
  });
  return router;
}
