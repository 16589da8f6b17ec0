import type { EntityManager } from "typeorm";
import { newId } from "../store/index.js";
import { PhaseTimer } from "./phase-timer.js";
import type { RenderRequest, SettledRequest } from "./render-request.js";
import { settleRequest } from "./settle-request.js";
import {
  type TemplateToRender,
  templateToRender,
} from "./template-to-render.js";

/** One render, from its acceptance to its row. */
export interface RenderRun {
  documentId: string;
  startedAt: Date;
  request: SettledRequest;
  template: TemplateToRender;
  timer: PhaseTimer;
}

/** @throws PlatenError `invalid_request` or `not_found` for what is no render at all, and so gets no row. */
export async function beginRun(
  read: EntityManager,
  asked: RenderRequest,
): Promise<RenderRun> {
  const startedAt = new Date();
  const timer = new PhaseTimer();
  const request = settleRequest(asked, startedAt);
  const template = await timer.time("load", () =>
    templateToRender(read, request),
  );
  return { documentId: newId("doc"), startedAt, request, template, timer };
}
