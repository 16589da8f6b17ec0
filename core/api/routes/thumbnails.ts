import { Router } from "@koa/router";
import type { Thumbnails } from "../../documents/index.js";
import type { HttpState } from "../http-state.js";
import { sendFile } from "../send-file.js";

/** Pictures of templates. They need no key: the address cannot be guessed. */
export function thumbnailRoutes(thumbnails: Thumbnails): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/thumbnails/:templateId/:name", async (ctx) => {
    const { templateId = "", name = "" } = ctx.params;
    const key = /^([\w-]+)\.png$/.exec(name)?.[1] ?? "";
    const picture = await thumbnails.find(templateId, key);
    ctx.set("cache-control", "public, max-age=31536000, immutable");
    await sendFile(ctx, { ...picture, mimeType: "image/png", etag: key });
  });
  return router;
}
