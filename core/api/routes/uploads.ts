import { Router } from "@koa/router";
import type { Assets } from "../../assets/index.js";
import type { HttpContext, HttpState } from "../http-state.js";
import { requestBytes } from "../request-bytes.js";

/** Takes the file for which an upload link was made. The link itself is the proof. */
export function uploadRoutes(assets: Assets): Router<HttpState> {
  const router = new Router<HttpState>();
  const take = async (ctx: HttpContext) => {
    const [, secret = ""] = /\/uploads\/([\w-]+)$/.exec(ctx.path) ?? [];
    ctx.body = await assets.uploads.byLink(secret, requestBytes(ctx.req));
    ctx.status = 201;
  };
  router.put("/uploads/:secret", take);
  router.post("/uploads/:secret", take);
  return router;
}
