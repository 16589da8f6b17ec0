import type { ContentBlock } from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  esignSettingsSchema,
  type RenderCallbacks,
  type DocumentListView,
  listRecords,
  type RenderedDocument,
  type RenderReport,
} from "../../documents/index.js";
import {
  conformanceListSchema,
  localeSchema,
  UNKNOWN_FIELDS,
} from "../../definition/index.js";
import { clock, type Timer } from "../../lib/clock.js";
import { Deadline, FORMATS, PlatenError } from "../../plugin-api/index.js";
import {
  contentTool,
  maxProblems,
  type Tool,
  type ToolCall,
  tool,
  jsonBlock,
  resourceLink,
  type Progress,
} from "../tool.js";
import {
  idInput,
  templateIdInput,
  type ToolServices,
  defaultLimit,
  limitInput,
  offsetInput,
  readOnlyHints,
  truncate,
} from "./shared.js";
import { toPictureBlock } from "./templates.js";

/** A document in an answer; further fields are those of the REST interface. */
const documentOutput = z.looseObject({
  id: z.string(),
  templateId: z.string(),
  status: z.enum(["queued", "rendering", "succeeded", "failed", "expired"]),
  outputs: z.array(
    z.looseObject({
      label: z.string(),
      url: z.string(),
      mimeType: z.string(),
      sizeBytes: z.number(),
    }),
  ),
  expiresAt: z.string(),
});

const unknownFieldsInput = z.enum(UNKNOWN_FIELDS).meta({
  description:
    "What happens to fields of the data that the schema does not declare: allow (ignore them), warn (report them) or error (refuse).",
  default: "allow",
});

const renderInput = z.strictObject({
  templateId: templateIdInput,
  formats: z.array(z.enum(FORMATS)).min(1).meta({
    description:
      "At least one, each once. xml is the electronic invoice of a template with `einvoice`.",
  }),
  data: z.looseObject({}).optional().meta({
    description:
      "The record that is merged into the template: the root object, with the fields and arrays that the definition reads.",
  }),
  locale: localeSchema.max(64).optional().meta({
    description:
      "The language of this document, such as de-DE: translations and formats. Default: the record's or the template's.",
  }),
  imageType: z
    .enum(["png", "jpg"])
    .optional()
    .meta({ description: "Kind of the image.", default: "png" }),
  conformance: conformanceListSchema.optional().meta({
    description:
      "Standards that the PDF conforms to: one for archives, pdf/ua-1 for screen readers, or both. Default: the template's.",
  }),
  isTest: z.boolean().optional().meta({
    description: "True: watermarked and not counted. Use it while designing.",
    default: false,
  }),
  strict: z.boolean().optional().meta({
    description:
      "True: nothing is rendered when the report would list anything, such as invalid or missing values; the error lists everything.",
    default: false,
  }),
  unknownFields: unknownFieldsInput.optional(),
  sendForSignature: z.boolean().optional().meta({
    description:
      "True: the PDF is sent to its signers. They get mail, so ask the person first. Not together with isTest.",
    default: false,
  }),
  esignConnection: z.string().optional().meta({
    description:
      "Id of the saved e-signature connection. Default: the template's, or the only one.",
  }),
  esignSettings: esignSettingsSchema.optional().meta({
    description:
      "Only with sendForSignature: signers, deadline and message of this one document. They win over the template's " +
      "connection.submitters, role by role.",
  }),
  templateVersion: z.int().min(1, "must be at least 1").optional().meta({
    description: "A version's number. Default: the live definition.",
  }),
  preview: z.enum(["none", "first", "all"]).optional().meta({
    description:
      "Pictures in the answer, for you to look at: of the first page, of all (10 at most, some 2,000 tokens each), or none.",
    default: "first",
  }),
});

/** The render stops when the client disconnects, and reports each phase to it. */
function createRenderWatch(
  timeoutMs: number,
  { signal, log }: Pick<ToolCall<unknown>, "signal" | "log">,
  pulse: ProgressHeartbeat,
): RenderCallbacks {
  return {
    deadline: Deadline.after(timeoutMs, createCancelSignal(signal)),
    log,
    onRecorded: () => undefined,
    onPhase: (phase) => pulse.begin(phase),
  };
}

const maxMetadataLength = 500;

const listInput = z.strictObject({
  limit: limitInput.optional(),
  offset: offsetInput.optional(),
});

const listOutput = z.looseObject({
  data: z.array(documentOutput),
  pagination: z.looseObject({
    limit: z.number(),
    offset: z.number(),
    total: z.number(),
  }),
});

/** Without what only one who has chosen a document wants to know. */
function toSummary(document: DocumentListView) {
  const { id, templateId, template, status, outputs, error } = document;
  const { createdAt, expiresAt, createdBy } = document;
  return {
    id,
    templateId,
    template,
    status,
    ...(error !== undefined && { error: truncate(error) }),
    outputs: outputs.map(({ label, url, mimeType, sizeBytes }) => ({
      label,
      url,
      mimeType,
      sizeBytes,
    })),
    metadata: ownMetadata(document),
    createdAt,
    expiresAt,
    createdBy: { id: createdBy.id, name: createdBy.name },
  };
}

/** What the document's maker noted on it, unless that is long; our report is for who reads the document itself. */
function ownMetadata({ metadata }: DocumentListView) {
  const { platen: _report, ...userMetadata } = metadata ?? {};
  const { length } = JSON.stringify(userMetadata);
  return length === 2 || length > maxMetadataLength ? null : userMetadata;
}

const getInput = z.strictObject({
  documentId: idInput.meta({
    description: "The document's id, which begins with doc_.",
  }),
});

const validateInput = z.strictObject({
  templateId: templateIdInput,
  data: z.looseObject({}).optional().meta({ description: "One record." }),
  items: z
    .array(z.strictObject({ data: z.looseObject({}).optional() }))
    .min(1)
    .optional()
    .meta({ description: "Several records. Instead of data." }),
  templateVersion: renderInput.shape.templateVersion,
  unknownFields: unknownFieldsInput.optional(),
});

const validateOutput = z.looseObject({
  valid: z.boolean(),
  problems: z.array(
    z.looseObject({
      path: z.string(),
      code: z.string(),
      expected: z.string(),
      found: z.string(),
      message: z.string(),
    }),
  ),
  furtherProblems: z.number().optional(),
});

export function documentTools({
  dataValidation,
  documents,
  renderDocument,
  renderTimeoutMs,
}: ToolServices): Tool[] {
  return [
    contentTool({
      name: "render_document",
      title: "Render a document",
      description:
        "Merges data into a template. Answers with links to the files, with what was odd (missing or invalid values, images that could " +
        "not be had, what is too wide), and with a picture of the first page: look at it. The files end after 24 hours.",
      scope: "documents:write",
      input: renderInput,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
      async run(call) {
        const { caller, input } = call;
        const { preview = "first", conformance, ...rest } = input;
        const request = {
          ...rest,
          ...(conformance && { renderOptions: { pdf: { conformance } } }),
        };
        const { organizationId, userId: createdById } = caller;
        const pulse = new ProgressHeartbeat((note) => call.progress(note));
        try {
          const rendered = await renderDocument(
            { ...request, preview, organizationId, createdById },
            createRenderWatch(renderTimeoutMs, call, pulse),
          );
          return describeRendered(rendered);
        } finally {
          pulse.end();
        }
      },
    }),
    tool({
      name: "validate_data",
      title: "Check data against a template",
      description:
        "Checks one record (data) or several (items) against a template's schema, without rendering: types, dates, required " +
        "values, links. Problems are returned together, each with its path, such as $.items[3].data.lines[0].price; of many " +
        "the first 50, and furtherProblems says how many there are beyond them.",
      scope: "documents:write",
      input: validateInput,
      output: validateOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId }, input }) {
        const { templateId, templateVersion, unknownFields } = input;
        const choice = { organizationId, templateId, templateVersion };
        const records = listRecords(input);
        const { valid, problems } = await dataValidation.validate(
          choice,
          records,
          unknownFields,
        );
        const listed = problems
          .slice(0, maxProblems)
          .map((problem) => ({ ...problem }));
        const further = problems.length - listed.length;
        return {
          valid,
          problems: listed,
          ...(further > 0 && { furtherProblems: further }),
        };
      },
    }),
    tool({
      name: "list_documents",
      title: "List documents",
      description:
        "Rendered documents, newest first, each with its template and the links to its files. get_document returns all details " +
        "of one.",
      scope: "documents:read",
      input: listInput,
      output: listOutput,
      annotations: readOnlyHints,
      async run({ caller: { organizationId }, input }) {
        const slice = {
          limit: input.limit ?? defaultLimit,
          offset: input.offset ?? 0,
        };
        const { data, total } = await documents.slice(organizationId, slice);
        return { data: data.map(toSummary), pagination: { ...slice, total } };
      },
    }),
    tool({
      name: "get_document",
      title: "Read a document",
      description:
        "A document's status, metadata and files. A file's url works without a key until expiresAt. What was odd about it " +
        "(missing values, images, characters) is in metadata.platen.report.",
      scope: "documents:read",
      input: getInput,
      output: documentOutput,
      annotations: readOnlyHints,
      async run({ caller, input: { documentId } }) {
        const document = await documents.get(caller.organizationId, documentId);
        return {
          ...document,
          outputs: document.outputs.map((output) => ({ ...output })),
        };
      },
    }),
  ];
}

/** Text formats up to this many characters are returned inline; longer ones only as a link. */
const maxInlineText = 16_000;

/** The maximum number of findings per kind: as many as an assistant fixes at once. */
const maxFindings = 20;

/** The document as text, then its pictures, then links to its files. */
function describeRendered(rendered: RenderedDocument): ContentBlock[] {
  const { documentId, result, outputs, previews, pages, warnings } = rendered;
  const summary = {
    documentId,
    status: "succeeded",
    ...describeFiles(rendered),
    ...(result.signature && { signature: result.signature }),
    ...(pages !== null && { pages }),
    warnings,
    ...limitReport(rendered.report),
    ...(previews.pictures.length > 0 && { previews: previews.pictures.length }),
    ...(previews.problem !== null && { previewProblem: previews.problem }),
  };
  return [
    jsonBlock(summary),
    ...previews.pictures.map(toPictureBlock),
    ...outputs.map(({ label, url, mimeType, sizeBytes }) =>
      resourceLink({ uri: url, name: label, mimeType, size: sizeBytes }),
    ),
    resourceLink({
      uri: `platen://documents/${documentId}`,
      name: documentId,
      mimeType: "application/json",
    }),
  ];
}

/** Keyed by format, as POST /api/export answers, each with its link and without what only programs need. */
function describeFiles({ result, outputs }: RenderedDocument) {
  const { signature: _signature, ...files } = result;
  return Object.fromEntries(
    Object.entries(files).map(([format, entry]) => {
      const output = outputs.find(({ label }) => label === format);
      const fields = { ...toFileFields(entry), url: output?.url ?? "" };
      return [format, fields];
    }),
  );
}

const forPrograms = new Set(["storageKey", "checksum"]);

function toFileFields(entry: object) {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) =>
        !forPrograms.has(name) &&
        (typeof value !== "string" || value.length <= maxInlineText),
    ),
  );
}

/** What the report lists, without its empty lists. */
function limitReport({ headers: _headers, ...lists }: RenderReport) {
  const findings = Object.entries(lists).filter(([, list]) => list.length > 0);
  if (findings.length === 0) return {};
  const report = findings.map(([kind, list]) => [
    kind,
    list.slice(0, maxFindings),
  ]);
  return { report: Object.fromEntries(report) };
}

const defaultIntervalMs = 5000;

/**
 * Tells how far some work is, and again every few seconds while a step takes long: a client that hears nothing for a
 * minute gives the call up.
 */
export class ProgressHeartbeat {
  #done = 0;
  #step = "";
  readonly #timer: Timer;

  /** @param everyMs between two notes of one step. */
  constructor(
    private readonly tell: (note: Progress) => void,
    everyMs = defaultIntervalMs,
  ) {
    this.#timer = clock.every(everyMs, () => this.#beat()).unref();
  }

  begin(step: string): void {
    this.#step = step;
    this.#beat();
  }

  end(): void {
    this.#timer.cancel();
  }

  #beat(): void {
    this.#done += 1;
    this.tell({ done: this.#done, message: this.#step });
  }
}

/** Aborted with a reason in our words when a call's client cancels it or goes away. */
function createCancelSignal(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const cancel = () =>
    controller.abort(
      new PlatenError(
        "timeout",
        "The client cancelled the call, or went away, before the document was ready.",
      ),
    );
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return controller.signal;
}
