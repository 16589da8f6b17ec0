import { z } from "zod";
import type { IdempotencyKeys } from "../../accounts/index.js";
import { renderOptionsSchema } from "../../definition/index.js";
import type {
  RenderDocument,
  RenderCallbacks,
  Signing,
} from "../../documents/index.js";
import { Deadline } from "../../plugin-api/index.js";
import { runIdempotent } from "../../accounts/index.js";
import { createDisconnectSignal } from "../middleware.js";
import {
  type OperationRequest,
  defineOperation,
  type Operation,
} from "../operation.js";
import { dataSchema, formatsSchema } from "../schemas.js";
import { documentSignatureSchema } from "./documents.js";

const submitterSchema = z.strictObject({
  role: z
    .string()
    .min(1, "must not be empty")
    .meta({ description: "A role of the template." }),
  email: z.email("must be an e-mail address"),
  name: z.string().optional(),
  values: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: "Values prefilled for this signer." }),
  order: z
    .number()
    .optional()
    .meta({ description: "Position in the signing order." }),
});

const esignSettingsSchema = z.strictObject({
  submitters: z.array(submitterSchema).optional(),
  expiresAt: z.string().optional().meta({
    description: "The deadline for signing: an ISO 8601 timestamp or a date.",
  }),
  message: z
    .strictObject({
      subject: z.string().optional(),
      body: z.string().optional(),
    })
    .optional(),
});

const exportBodySchema = z
  .strictObject({
    templateId: z.string().meta({
      description: "An active template of the organization.",
      example: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
    }),
    templateVersion: z.int().min(1, "must be at least 1").optional().meta({
      description: "A version number. Default: the live definition.",
    }),
    formats: formatsSchema,
    data: dataSchema.optional(),
    expiresAt: z.string().optional().meta({
      description:
        "When files and links expire: an ISO 8601 timestamp (in UTC when it has no offset), or a date, which means the end of that day in UTC. 24 hours from now by default.",
      example: "2030-01-31",
    }),
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
        "True: fails with an error if the render report would list anything: missing variables, images and characters, or content that is too wide for the page. False: `x-render-warnings` counts these, and the document's `metadata.platen.report` lists them.",
      default: false,
    }),
    renderOptions: renderOptionsSchema.optional().meta({
      description:
        "What this one document changes of the template's page: margin, paper, scale; which `pages` an image shows, whether in one picture (`singleImage`), at which `deviceScaleFactor` and `quality`; what the PDF tells and carries (`pdf`); and whether the render fails or draws a placeholder when an image cannot be had (`failedAssets`, by default a placeholder) or a barcode cannot carry its value (`invalidCodes`, by default it fails).",
      example: { margin: "20mm", pages: "1-2" },
    }),
    sendForSignature: z.boolean().optional().meta({
      description:
        "Sends the document's PDF for signature: its sign fields become fields of the provider. Signers, roles, expiry and connection are validated before anything is rendered or stored. The PDF is stored even if `formats` does not include `pdf`. Cannot be combined with `isTest` or `renderOptions.pdf.password`.",
      default: false,
    }),
    esignConnection: z.string().optional().meta({
      description:
        "Id of the saved e-signature connection. Default: the template's.",
    }),
    esignSettings: esignSettingsSchema.optional().meta({
      description:
        "Signers, deadline and message; overrides the template's root connection, role by role.",
    }),
  })
  .meta({
    id: "ExportRequest",
    example: {
      templateId: "0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f",
      formats: ["pdf"],
      data: { number: "2026-117" },
    },
  });

type ExportBody = z.output<typeof exportBodySchema>;

const fileFields = {
  url: z.string().meta({
    description: "Download link; needs no key, works until `expiresAt`.",
  }),
  sizeBytes: z.number().int(),
  mimeType: z.string(),
  checksum: z
    .string()
    .meta({ description: "`sha256:` and 64 hexadecimal digits." }),
  filename: z.string(),
  storageKey: z.string(),
};

const fileSchema = z.strictObject(fileFields).meta({ id: "RenderedFile" });

const imageSchema = z
  .strictObject({
    ...fileFields,
    pages: z
      .array(z.strictObject({ page: z.number().int(), ...fileFields }))
      .optional()
      .meta({
        description:
          "Every page that `renderOptions.pages` selects; the image itself is the first of them.",
      }),
  })
  .meta({ id: "RenderedImage" });

const htmlSchema = z
  .strictObject({
    htmlDocument: z.string(),
    checksum: fileFields.checksum,
    mimeType: z.literal("text/html"),
    url: z.literal(""),
    sizeBytes: fileFields.sizeBytes,
  })
  .meta({ id: "RenderedHtml" });

const mjmlSchema = z
  .strictObject({
    mjmlDocument: z.string(),
    checksum: fileFields.checksum,
    mimeType: z.literal("text/mjml"),
    url: z.literal(""),
    sizeBytes: fileFields.sizeBytes,
  })
  .meta({ id: "RenderedMjml" });

/** Keyed by the formats that were asked for. */
export const exportResultSchema = z
  .strictObject({
    pdf: fileSchema.optional(),
    html: htmlSchema.optional(),
    image: imageSchema.optional(),
    mjml: mjmlSchema.optional(),
    signature: documentSignatureSchema.optional().meta({
      description: "Present on documents that were sent for signature.",
    }),
  })
  .meta({ id: "ExportResult" });

type ExportResult = z.input<typeof exportResultSchema>;

interface ExportServices {
  renderDocument: RenderDocument;
  idempotencyKeys: IdempotencyKeys;
  signing: Pick<Signing, "view">;
  renderTimeoutMs: number;
}

/** Render one document while the caller waits. */
export function exportOperation(services: ExportServices): Operation {
  return defineOperation({
    id: "exportDocument",
    method: "post",
    path: "/api/export",
    scope: "documents:write",
    tag: "Documents",
    summary: "Render a document",
    description:
      "Merges `data` into a template and returns the document in every requested format. " +
      "Files are kept until `expiresAt`; each `url` works without a key until then. Every render is listed as a document, " +
      "including failed ones. " +
      "With an `Idempotency-Key` (1 to 255 visible ASCII characters) you can safely retry the request for 24 hours: it is " +
      "rendered once, sent for signature once, and returns the same response each time, with the current `signature`.",
    body: exportBodySchema,
    idempotent: true,
    reply: {
      description: "The document, keyed by format.",
      schema: exportResultSchema,
      headers: exportHeaders,
    },
    errors: [404, 409, 413, 429, 503],
    handle: (request) => exportOnce(services, request),
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

function exportOnce(
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
  return runIdempotent(services.idempotencyKeys, {
    organizationId,
    key,
    fingerprint: async () => fingerprint,
    work: (claim) =>
      render(services, request, (tx, rendered) => {
        // Kept before the signing begins, of which only the request's id is known then.
        const { documentId, warnings, result, signatureId } = rendered;
        const answer = { documentId, warnings, result, signatureId };
        return claim.keep(tx, fingerprint, JSON.stringify(answer));
      }),
    again: async (answer) => {
      const kept = savedAnswerSchema.parse(JSON.parse(answer));
      ctx.set("idempotency-replayed", "true");
      ctx.set("x-document-id", kept.documentId);
      ctx.set("x-render-warnings", String(kept.warnings));
      if (!kept.signatureId) return kept.result;
      const signature = await signing.view(organizationId, kept.signatureId);
      return { ...kept.result, signature };
    },
  });
}

async function render(
  { renderDocument, renderTimeoutMs }: ExportServices,
  { caller, body, ctx }: ExportRequest,
  alongside?: RenderCallbacks["alongside"],
): Promise<ExportResult> {
  const { organizationId, userId } = caller;
  const rendered = await renderDocument(
    { ...body, organizationId, createdById: userId },
    {
      deadline: Deadline.after(
        renderTimeoutMs,
        createDisconnectSignal(ctx.res),
      ),
      log: ctx.state.log,
      ...(alongside && { alongside }),
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
