import { Router } from "@koa/router";
import type { FileStore } from "../../contract/index.js";
import type { Downloads } from "../../file/index.js";
import type { HttpState } from "../http-state.js";
import { sendFile } from "../send-file.js";

// A page of a stranger's making: it may show itself and do nothing else, and it has no origin.
const sandbox =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Download links. They need no key: the link itself is the proof. */
export function fileRoutes(
  downloads: Downloads,
  files: FileStore,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.get("/files/:documentId/:label/:name", async (ctx) => {
    const file = await downloads.find(ctx.url);
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
