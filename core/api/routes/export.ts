import { z } from "zod";
import type { IdempotencyKeys } from "../../accounts/limits/index.js";
import { Deadline } from "../../plugin-api/index.js";
import type {
  RenderDocument,
  RenderedDocument,
  RenderWatch,
  Signing,
} from "../../documents/index.js";
import { answerOnce } from "../answer-once.js";
import { hangUpSignal } from "../hang-up.js";
import type { HttpContext } from "../http-state.js";
import {
  type OperationRequest,
  operation,
  type Operation,
} from "../operation.js";
import { type ExportBody, exportBody } from "../schemas/export.js";
import { type ExportResult, exportResult } from "../schemas/export-result.js";
import { serverTiming } from "../server-timing.js";

interface ExportServices {
  renderDocument: RenderDocument;
  idempotencyKeys: IdempotencyKeys;
  signing: Pick<Signing, "view">;
  renderTimeoutMs: number;
}

/** Render one document while the caller waits. */
export function exportOperation(services: ExportServices): Operation {
  return operation({
    id: "exportDocument",
    method: "post",
    path: "/api/export",
    scope: "documents:write",
    tag: "Documents",
    summary: "Render a document",
    description:
      "Merges `data` into a template and answers with the document in every format that was asked for. " +
      "The files are kept until `expiresAt`; each `url` works without a key until then. Every render is a document " +
      "in the list, a failed one too. " +
      "With an `Idempotency-Key` (1 to 255 visible ASCII characters) the request can be sent again for 24 hours: it is " +
      "rendered once, sent for signature once, and answered alike each time, with `signature` as it is by then.",
    body: exportBody,
    reply: {
      description: "The document, keyed by format.",
      schema: exportResult,
      headers: exportHeaders,
    },
    errors: [404, 409, 413, 429, 503],
    handle: (request) => renderOnce(services, request),
  });
}

const exportHeaders = {
  "x-document-id": {
    description: "The document's id. On errors too, once there is a document.",
    example: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
  },
  "x-render-warnings": {
    description:
      "How much the report in the document's `metadata.platen.report` lists.",
    example: "0",
  },
  "idempotency-replayed": {
    description:
      "`true` when the request's `Idempotency-Key` was used before, with the same body: this is the same answer, and " +
      "nothing was rendered.",
    example: "true",
  },
  "server-timing": {
    description:
      "What took how many milliseconds: always `queue`, `compile`, `merge`, `print` and `store`, and others beside them.",
    example:
      "queue;dur=0.0, compile;dur=0.1, merge;dur=0.4, print;dur=11.8, store;dur=0.9",
  },
};

type ExportRequest = OperationRequest<unknown, unknown, ExportBody>;

/** What is kept under an `Idempotency-Key`. */
const keptExport = z.object({
  documentId: z.string(),
  warnings: z.number(),
  result: exportResult,
  signatureId: z.string().nullish(),
});

function renderOnce(
  services: ExportServices,
  request: ExportRequest,
): Promise<ExportResult> {
  const { caller, body, ctx } = request;
  const key = ctx.get("idempotency-key");
  if (key === "") return render(services, request);
  const { organizationId } = caller;
  const { signing } = services;
  const fingerprint = services.idempotencyKeys.fingerprint(
    "exportDocument",
    JSON.stringify(body),
  );
  return answerOnce(services.idempotencyKeys, {
    organizationId,
    key,
    fingerprint: async () => fingerprint,
    work: (claim) =>
      render(services, request, (tx, rendered) =>
        claim.keep(tx, fingerprint, answerToKeep(rendered)),
      ),
    again: async (answer) => {
      const kept = keptExport.parse(JSON.parse(answer));
      ctx.set("idempotency-replayed", "true");
      ctx.set("x-document-id", kept.documentId);
      ctx.set("x-render-warnings", String(kept.warnings));
      if (!kept.signatureId) return kept.result;
      const signature = await signing.view(organizationId, kept.signatureId);
      return { ...kept.result, signature };
    },
  });
}

/** It is kept before the signing begins, of which only the request's id is known then. */
function answerToKeep(rendered: RenderedDocument): string {
  const { documentId, warnings, result, signatureId } = rendered;
  return JSON.stringify({ documentId, warnings, result, signatureId });
}

async function render(
  { renderDocument, renderTimeoutMs }: ExportServices,
  { caller, body, ctx }: ExportRequest,
  alongside?: RenderWatch["alongside"],
): Promise<ExportResult> {
  const { organizationId, userId } = caller;
  const rendered = await renderDocument(
    { ...body, organizationId, createdById: userId },
    {
      deadline: Deadline.after(renderTimeoutMs, hangUpSignal(ctx.res)),
      log: ctx.state.log,
      ...(alongside && { alongside }),
      onRecorded: (documentId) => ctx.set("x-document-id", documentId),
    },
  );
  tell(ctx, rendered);
  return rendered.result;
}

function tell(ctx: HttpContext, { warnings, phases }: RenderedDocument): void {
  ctx.set("x-render-warnings", String(warnings));
  ctx.set("server-timing", serverTiming(phases));
}
