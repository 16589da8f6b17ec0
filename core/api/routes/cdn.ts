import { Router } from "@koa/router";
import type { PublicFiles } from "../../assets/index.js";
import type { HttpState } from "../http-state.js";
import { sendFile } from "../send-file.js";

// A drawing of a stranger's making: it may show itself and do nothing else, and it has no origin.
const sandbox =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; font-src data:";

/** Files of assets. They need no key: the address cannot be guessed, and leads to the same bytes for ever. */
export function cdnRoutes(publicFiles: PublicFiles): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/cdn/:name", async (ctx) => {
    const file = await publicFiles.find(ctx.params["name"] ?? "");
    ctx.set({
      "cache-control": "public, max-age=31536000, immutable",
      // Fonts of other sites' pages are only taken with leave.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "content-security-policy": sandbox,
    });
    // Browsers show no PDF in a sandbox; a PDF brings its own.
    if (file.mimeType === "application/pdf")
      ctx.remove("content-security-policy");
    await sendFile(ctx, file);
  });
  return router;
}
