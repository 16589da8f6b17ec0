import type { Readable } from "node:stream";
import { z } from "zod";
import { requireScope } from "../../accounts/index.js";
import { renderOptionsSchema, TEMPLATE_TYPES } from "../../definition/index.js";
import {
  esignSettingsSchema,
  exportResultSchema,
  type RenderRequestedDocument,
  type RenderResult,
  type Signing,
} from "../../documents/index.js";
import {
  Deadline,
  type FileStore,
  PlatenError,
} from "../../plugin-api/index.js";
import { isPlainObject } from "../../lib/json.js";
import type { Downloads } from "../../storage/files/index.js";
import { createDisconnectSignal } from "../middleware.js";
import {
  type OperationRequest,
  createDefinition,
  type Operation,
} from "../operation.js";
import { dataSchema, localeField, unknownFieldsSchema } from "../schemas.js";
import { definitionSchema, formatsSchema, idInput } from "../../lib/schemas.js";

/** A problem of a field that is listed together with those of other fields. */
function problemAt(field: string, error: string) {
  return {
    path: [field],
    error,
    when: ({ value }: { value: unknown }) => isPlainObject(value),
  };
}

const exportBodySchema = z
  .strictObject({
    templateId: idInput.optional().meta({
      description:
        "An active template of the organization. Either this or `definition` is required.",
      example: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    }),
    definition: definitionSchema.optional().meta({
      description:
        "A definition that is rendered without being saved, instead of `templateId`; the key needs the scope `templates:write` too. Equal definitions are checked once. The document's `templateId` is that of a template in no list, which can be read until the files of its last document are deleted.",
    }),
    templateType: z.enum(TEMPLATE_TYPES).optional().meta({
      description: "The type of `definition`.",
      default: "document",
    }),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description:
        "A version number. Default: the live definition, which may be newer than the newest version. The document's `metadata.platen.template` says which one it was made from.",
    }),
    formats: formatsSchema,
    data: dataSchema.optional(),
    expiresAt: z.string().optional().meta({
      description:
        "When files and links expire: an ISO 8601 timestamp (in UTC when it has no offset), or a date, which means the end of that day in UTC. 24 hours from now by default.",
      example: "2030-01-31",
    }),
    locale: localeField,
    imageType: z
      .enum(["png", "jpg"])
      .optional()
      .meta({ description: "Kind of the `image`.", default: "png" }),
    isTest: z.boolean().optional().meta({
      description: "Watermarks every format; not counted toward usage.",
      default: false,
    }),
    strict: z.boolean().optional().meta({
      description:
        "True: fails with an error if the render report would list anything: invalid data, missing variables, images and characters, or content that is too wide for the page. False: `x-render-warnings` counts these, and the document's `metadata.platen.report` lists them.",
      default: false,
    }),
    unknownFields: unknownFieldsSchema.optional(),
    renderOptions: renderOptionsSchema.optional().meta({
      description:
        "What this one document changes of the template's page: margin, paper, scale; which `pages` an image shows, whether in one picture (`singleImage`), at which `deviceScaleFactor` and `quality`; what the PDF tells and carries (`pdf`); and whether the render fails or draws a placeholder when an image cannot be had (`failedAssets`, by default a placeholder) or a barcode cannot carry its value (`invalidCodes`, by default it fails).",
      example: { margin: "20mm", pages: "1-2" },
    }),
    sendForSignature: z.boolean().optional().meta({
      description:
        "Sends the document's PDF for signature: its sign fields become fields of the provider. Signers, roles, expiry and connection are validated before anything is rendered or stored. The PDF is stored even if `formats` does not include `pdf`. Cannot be combined with `isTest`, nor with `password` or `sign` of `renderOptions.pdf`.",
      default: false,
    }),
    esignConnection: idInput.optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    esignSettings: esignSettingsSchema.optional().meta({
      description:
        "Signers, deadline and message; overrides the template's root connection, role by role.",
    }),
  })
  .refine(
    ({ templateId, definition }) => Boolean(templateId ?? definition),
    problemAt("templateId", "is required, unless definition is sent"),
  )
  .refine(
    ({ templateId, definition }) => !templateId || !definition,
    problemAt("definition", "excludes templateId: send one of them"),
  )
  .refine(
    ({ definition, templateType }) => Boolean(definition) || !templateType,
    problemAt("templateType", "is only for a definition"),
  )
  .refine(
    ({ definition, templateVersion }) => !definition || !templateVersion,
    problemAt("templateVersion", "is only for a template"),
  )
  .meta({
    id: "ExportRequest",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      formats: ["pdf"],
      data: { number: "2026-117" },
    },
  });

type ExportBody = z.output<typeof exportBodySchema>;

interface ExportServices {
  renderDocument: RenderRequestedDocument;
  signing: Pick<Signing, "view">;
  downloads: Downloads;
  files: Pick<FileStore, "open">;
  renderTimeoutMs: number;
}

const pdfType = "application/pdf";

/** Render one document while the caller waits. */
export function exportOperation(services: ExportServices): Operation {
  return createDefinition("Documents")({
    id: "exportDocument",
    post: "/api/export",
    scope: "documents:write",
    summary: "Render a document",
    description:
      "Merges `data` into a template and returns the document in every requested format. " +
      "Files are kept until `expiresAt`; each `url` works without a key until then. Every render is listed as a document, " +
      "including failed ones. " +
      'With `Accept: application/pdf` and `formats: ["pdf"]`, the response is the PDF itself; errors are JSON all the same. ' +
      "With an `Idempotency-Key`, it is sent for signature once, and the repeated response has the current `signature`.",
    body: exportBodySchema,
    textFields: ["data", "definition"],
    idempotent: {
      replay: (saved, request) => exportAgain(services, saved, request),
    },
    reply: {
      description: "The document, keyed by format.",
      schema: exportResultSchema,
      file: pdfType,
      headers: exportHeaders,
    },
    errors: [404, 410],
    handle: async (request) => {
      assertPdfOnly(request);
      const result = await render(services, request);
      return answer(services.files, request, result);
    },
  });
}

const exportHeaders = {
  "x-document-id": {
    description:
      "The document's id. Also sent with errors, once the document exists.",
    example: "doc_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    withErrors: true,
  },
  "x-render-warnings": {
    description:
      "The number of entries in the document's `metadata.platen.report`.",
    example: "0",
  },
  "server-timing": {
    description:
      "Duration of each phase in milliseconds: always `queue`, `compile`, `merge`, `print` and `store`, sometimes others. Missing when nothing was rendered.",
    example:
      "queue;dur=0.0, compile;dur=0.1, merge;dur=0.4, print;dur=11.8, store;dur=0.9",
    optional: true,
  },
} as const;

type ExportRequest = OperationRequest<unknown, unknown, ExportBody>;

/** What is kept under an `Idempotency-Key`. */
const savedAnswerSchema = z.object({
  documentId: z.string(),
  warnings: z.number(),
  result: exportResultSchema,
  signatureId: z.string().nullish(),
});

/** Answers by what was kept: a signature as it is now, and the file only while its link works. */
async function exportAgain(
  { downloads, files, signing }: ExportServices,
  saved: string,
  request: ExportRequest,
): Promise<RenderResult | Readable> {
  assertPdfOnly(request);
  const { caller, ctx, wantsFile } = request;
  const savedAnswer = savedAnswerSchema.parse(JSON.parse(saved));
  const { documentId, warnings, result, signatureId } = savedAnswer;
  ctx.set("x-document-id", documentId);
  ctx.set("x-render-warnings", String(warnings));
  if (wantsFile) {
    const url = result.pdf?.url ?? "";
    await downloads.find(url.slice(url.lastIndexOf("/files/")));
    return answer(files, request, result);
  }
  if (!signatureId) return result;
  const signature = await signing.view(caller.organizationId, signatureId);
  return { ...result, signature };
}

/** @throws PlatenError `invalid_request` for formats that one PDF cannot answer. */
function assertPdfOnly({ wantsFile, body: { formats } }: ExportRequest): void {
  if (!wantsFile || (formats.length === 1 && formats[0] === "pdf")) return;
  throw new PlatenError(
    "invalid_request",
    'The Accept header asks for application/pdf, which is only possible with formats ["pdf"]. ' +
      "Request that format alone, or send Accept: application/json.",
  );
}

/** The PDF itself if the client prefers it; otherwise the result. */
async function answer(
  files: Pick<FileStore, "open">,
  { wantsFile, ctx }: ExportRequest,
  result: RenderResult,
): Promise<RenderResult | Readable> {
  if (!wantsFile || result.pdf === undefined) return result;
  const { storageKey, filename } = result.pdf;
  const opened = await files.open(storageKey);
  if (!opened)
    throw new PlatenError("gone", "The file of this document was deleted.");
  ctx.attachment(filename);
  ctx.length = opened.sizeBytes;
  return opened.stream;
}

async function render(
  { renderDocument, renderTimeoutMs }: ExportServices,
  { caller, body, ctx, keepAnswer }: ExportRequest,
): Promise<RenderResult> {
  const { organizationId, userId: createdById } = caller;
  const { templateId, templateVersion, definition, templateType, ...options } =
    body;
  if (definition !== undefined) requireScope(caller, "templates:write");
  const rendered = await renderDocument(
    {
      ...options,
      organizationId,
      createdById,
      ...(templateId === undefined
        ? { definition, templateType }
        : { templateId, templateVersion }),
    },
    {
      deadline: Deadline.after(
        renderTimeoutMs,
        createDisconnectSignal(ctx.res),
      ),
      log: ctx.state.log,
      // Kept before the signing begins, of which only the request's id is known then.
      alongside: (tx, { documentId, warnings, result, signatureId }) =>
        keepAnswer(tx, { documentId, warnings, result, signatureId }),
      onRecorded: (documentId) => ctx.set("x-document-id", documentId),
    },
  );
  const phases = Object.entries({ ...always, ...rendered.phases });
  ctx.set("x-render-warnings", String(rendered.warnings));
  ctx.set(
    "server-timing",
    phases.map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`).join(", "),
  );
  return rendered.result;
}

/** What every render goes through; what a format did not need took no time. */
const always = { queue: 0, compile: 0, merge: 0, print: 0, store: 0 };
