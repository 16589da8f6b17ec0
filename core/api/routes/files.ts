import { Router } from "@koa/router";
import type { FileStore } from "../../plugin-api/index.js";
import type { Download, Downloads } from "../../storage/files/index.js";
import type { HttpContext, HttpState } from "../http-state.js";
import { sendFile } from "../send-file.js";

// A page of a stranger's making: it may show itself and do nothing else, and it has no origin.
const sandbox =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** How long a browser may take to follow us to where the file lies. */
const redirectSeconds = 60;

/** Download links. They need no key: the link itself is the proof. */
export function fileRoutes(
  downloads: Downloads,
  files: FileStore,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/files/:documentId/:label/:name", async (ctx) => {
    const file = await downloads.find(ctx.url);
    if (await sendElsewhere(ctx, files, file)) return;
    ctx.type = file.mimeType;
    ctx.attachment(file.filename, { type: "inline" });
    ctx.set("cache-control", "private, no-cache");
    if (file.mimeType === "text/html")
      ctx.set("content-security-policy", sandbox);
    else ctx.remove("content-security-policy");
    await sendFile(ctx, {
      ...file,
      etag: file.checksum,
      open: (range) => files.open(file.storageKey, range),
    });
  });
  return router;
}

/**
 * Sends the browser to the store itself, if it has a door of its own. A page stays with us: nobody else would put it
 * into its sandbox. So does HEAD, for which that door would want another link.
 */
async function sendElsewhere(
  ctx: HttpContext,
  files: FileStore,
  file: Download,
): Promise<boolean> {
  const stays = ctx.method === "HEAD" || file.mimeType === "text/html";
  if (stays || !files.directUrl) return false;
  const url = await files.directUrl(file.storageKey, file, redirectSeconds);
  ctx.set("cache-control", "private, no-store");
  ctx.redirect(url);
  ctx.body = null;
  ctx.status = 302;
  return true;
}
