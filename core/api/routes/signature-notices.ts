import { Router } from "@koa/router";
import { PlatenError } from "../../plugin-api/index.js";
import type { SignatureNotices } from "../../signatures/index.js";
import type { HttpContext, HttpState } from "../http-state.js";

/** Notices are short; whoever sends more is no provider. */
const mostBytes = 1_048_576;

/**
 * What e-signature providers send to us. It needs no key: each provider proves its notices in its own way, over the
 * bytes as they came.
 */
export function signatureNoticeRoutes(
  notices: Pick<SignatureNotices, "receive">,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.post("/api/esign/notices/:connectionId", async (ctx) => {
    await notices.receive(ctx.params["connectionId"] ?? "", {
      body: await bodyOf(ctx),
      headers: headersOf(ctx),
      receivedAt: new Date(),
    });
    ctx.status = 202;
    ctx.body = { received: true };
  });
  return router;
}

async function bodyOf(ctx: HttpContext): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // What is left of one that is too long is dropped with its connection, once it is answered.
  const body: AsyncIterable<Uint8Array> = ctx.req.iterator({
    destroyOnReturn: false,
  });
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostBytes)
      throw new PlatenError(
        "too_large",
        `A notice has at most ${mostBytes} bytes.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Of those that came several times, the last: a proof comes once. */
function headersOf(ctx: HttpContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ctx.req.headers).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value.at(-1) : value;
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
