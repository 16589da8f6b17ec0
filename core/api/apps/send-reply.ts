import type { AppFile, AppReply } from "../../plugin-api/index.js";
import type { HttpContext } from "../context.js";
import type { SessionDoor } from "./session-door.js";

/** @param at the app's path, without a slash at the end. */
export function sendReply(
  ctx: HttpContext,
  { status, json, file, redirect, session, flow }: AppReply,
  door: SessionDoor,
  at: string,
): void {
  if (session !== undefined) door.keep(ctx, session);
  if (flow !== undefined) door.keepFlow(ctx, flow);
  if (redirect !== undefined) {
    const isElsewhere = /^https?:\/\//.test(redirect);
    ctx.redirect(isElsewhere ? redirect : `${at}/${redirect}`);
    ctx.body = null;
    ctx.status = 303;
    return;
  }
  if (file !== undefined) return sendBytes(ctx, file);
  ctx.body = json === undefined ? null : JSON.stringify(json);
  ctx.status = status ?? (json === undefined ? 204 : 200);
  if (json !== undefined) ctx.type = "application/json";
}

/** What is made of a template may hold anybody's markup: opened by itself, it may do nothing. */
function sendBytes(
  ctx: HttpContext,
  { bytes, mimeType, maxAgeSeconds }: AppFile,
): void {
  ctx.set({
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control":
      maxAgeSeconds === undefined
        ? "no-store"
        : `private, max-age=${maxAgeSeconds}`,
  });
  ctx.status = 200;
  ctx.type = mimeType;
  ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
