import type { AppReply } from "../../contract/index.js";
import type { HttpContext } from "../http-state.js";
import type { SessionDoor } from "./session-door.js";

/** @param at the app's path, without a slash at the end. */
export function sendReply(
  ctx: HttpContext,
  { status, json, redirect, session, flow }: AppReply,
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
  ctx.body = json === undefined ? null : JSON.stringify(json);
  ctx.status = status ?? (json === undefined ? 204 : 200);
  if (json !== undefined) ctx.type = "application/json";
}
