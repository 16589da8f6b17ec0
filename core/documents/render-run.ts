import type { EntityManager } from "typeorm";
import { type Document, newId } from "../storage/database/index.js";
import type { RenderOptions } from "../definition/index.js";
import { PhaseTimer } from "./phase-timer.js";
import type {
  RenderRequest,
  SettledRequest,
  SigningWishes,
} from "./render-request.js";
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
  /** Why it was refused after it had begun: then it is no render at all either. */
  refusal: unknown;
}

/** @throws PlatenError `invalid_request` or `not_found` for what is no render at all, and so gets no row. */
export async function beginRun(
  read: EntityManager,
  asked: RenderRequest,
  onPhase?: (phase: string) => void,
): Promise<RenderRun> {
  const startedAt = new Date();
  const timer = new PhaseTimer(onPhase);
  const request = settleRequest(asked, startedAt);
  const template = await timer.time("load", () =>
    templateToRender(read, request),
  );
  const documentId = newId("doc");
  return { documentId, startedAt, request, template, timer, refusal: null };
}

/** A document that was queued, and what its row does not hold. */
export interface QueuedDocument {
  /** As it was claimed. */
  row: Document;
  /** The root record. */
  data: object;
  renderOptions: RenderOptions | undefined;
  template: TemplateToRender;
  /** Null when it goes to nobody. */
  signing: SigningWishes | null;
}

/** The run of a queued document: all of it was checked when it was accepted. */
export function resumeRun({
  row,
  data,
  renderOptions,
  template,
  signing,
}: QueuedDocument): RenderRun {
  const { organizationId, createdById, templateId, templateVersion } = row;
  const { formats, imageType, isTest, expiresAt } = row;
  return {
    documentId: row.id,
    startedAt: new Date(),
    request: {
      organizationId,
      createdById,
      templateId,
      templateVersion,
      formats,
      data,
      expiresAt,
      imageType,
      isTest,
      strict: false,
      renderOptions,
      preview: "none",
      signing,
    },
    template,
    timer: new PhaseTimer(),
    refusal: null,
  };
}
