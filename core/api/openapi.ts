import { z } from "zod";
import type {
  oas31,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { Operation } from "./operation.js";
import { errorSchema } from "./schemas.js";

const tags = [
  {
    name: "Documents",
    description: "Render documents and find them again.",
  },
  {
    name: "Batches",
    description: "Render many records in the background.",
  },
  {
    name: "Links",
    description:
      "Pages where people without an API key create documents from their records.",
  },
  {
    name: "Templates",
    description: "Read templates and change their settings.",
  },
  {
    name: "Assets",
    description: "The library: images, videos, fonts and PDFs.",
  },
  { name: "Folders", description: "Folders of templates and assets." },
  { name: "Account", description: "The organization's usage." },
  {
    name: "Webhooks",
    description: "Get notified when a batch's documents finish.",
  },
  {
    name: "Signatures",
    description: "Documents sent for signature.",
  },
  {
    name: "Connections",
    description:
      "Saved credentials for data platforms and e-signature providers.",
  },
];

const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "x-api-key",
    description: "The organization's key. Keep it on your server.",
  },
  link: {
    type: "apiKey",
    in: "header",
    name: "authorization",
    description: "`Link <token>`: a link's token, instead of an API key.",
  },
} as const;

/** The OpenAPI 3.1 document of these operations. What makes it takes long to load, hence is loaded here. */
export async function openApiDocument(
  operations: readonly Operation[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Promise<oas31.OpenAPIObject> {
  const { createDocument } = await import("zod-openapi");
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Platen",
      version,
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths: createPaths(operations),
    components: {
      schemas: { Error: errorSchema },
      securitySchemes,
    },
  });
}

function createPaths(
  operations: readonly Operation[],
): NonNullable<ZodOpenApiObject["paths"]> {
  const paths: NonNullable<ZodOpenApiObject["paths"]> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [operation.method]: createOperation(operation),
    };
  }
  return paths;
}

const bytesSchema = { type: "string", format: "binary" } as const;

/** A body that is a file, or a form with one. */
const fileContent = {
  "application/octet-stream": { schema: bytesSchema },
  "multipart/form-data": {
    schema: { type: "object", properties: { file: bytesSchema } },
  },
} as const;

function createOperation(operation: Operation): ZodOpenApiOperationObject {
  const { id, tag, summary, description, scope, params, query } = operation;
  const { body, takesLinks, takesFile, idempotent } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\nPermission: \`${scope}\`.`,
    requestParams: {
      ...(params instanceof z.ZodObject && { path: params }),
      ...(query instanceof z.ZodObject && { query }),
      ...(idempotent && { header: idempotencyHeader }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: body },
          ...(takesFile && fileContent),
        },
      },
    }),
    ...(takesLinks && { security: [{ apiKey: [] }, { link: [] }] }),
    responses: createResponses(operation),
  };
}

const commonErrors = [400, 401, 500] as const;
type ErrorStatus =
  | (typeof commonErrors)[number]
  | 415
  | NonNullable<Operation["errors"]>[number];

const idempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description:
        "Makes the request safe to repeat for 24 hours: it is executed once, and a request with the same key and content gets the same response. 409 while the first is in progress, and for other content.",
      example: "order-4711",
    }),
});

const replayedHeader = {
  "idempotency-replayed": {
    description:
      "`true` when the request's `Idempotency-Key` was used before with the same content: this is the same response, and nothing was done again.",
    example: "true",
  },
};

const errorDescriptions: Record<
  ErrorStatus,
  [description: string, example: string]
> = {
  400: [
    "The request is invalid, or the key lacks the required permission.",
    "Invalid query. pageSize: must be a whole number from 1 to 100.",
  ],
  401: [
    "The key is missing, unknown, revoked or expired.",
    "This needs an API key in the header x-api-key.",
  ],
  404: [
    "The key's organization has no resource with this id.",
    "There is no such template.",
  ],
  409: [
    "The resource's state does not allow this request.",
    "The endpoint is disabled (by its owner). Enable it first.",
  ],
  410: ["The files were deleted.", "The files of this batch have expired."],
  413: [
    "The request body exceeds the size limit.",
    "The body is over the limit of 10485760 bytes.",
  ],
  415: [
    "The request body is not encoded in UTF-8.",
    'The body must be encoded in UTF-8; its Content-Type says "charset=iso-8859-1".',
  ],
  429: [
    "Too many requests. Try again after `Retry-After` seconds.",
    "Too many documents are waiting to be printed. Try again in a moment.",
  ],
  500: [
    "An internal error. The log entry carries the value of `x-request-id`.",
    "Something went wrong in the service, not in the request.",
  ],
  503: [
    "A part of the service is temporarily unavailable. Try again.",
    "The browser that prints is not running.",
  ],
};

/** All answers of an operation, errors with their examples. */
function createResponses({
  body,
  idempotent,
  reply,
  errors = [],
}: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${reply.status ?? 200}`]: {
      description: reply.description,
      headers: createHeaders({
        ...reply.headers,
        ...(idempotent && replayedHeader),
      }),
      content: {
        [reply.mimeType ?? "application/json"]: { schema: reply.schema },
        ...(reply.file !== undefined && {
          [reply.file]: { schema: bytesSchema },
        }),
      },
    },
  };
  const statuses = new Set<ErrorStatus>([
    ...commonErrors,
    ...errors,
    ...(idempotent ? ([409] as const) : []),
    ...(body ? ([415] as const) : []),
  ]);
  for (const status of statuses)
    responses[`${status}`] = createErrorResponse(...errorDescriptions[status]);
  return responses;
}

function createErrorResponse(description: string, example: string) {
  return {
    description,
    content: {
      "application/json": { schema: errorSchema, example: { error: example } },
    },
  };
}

const requestIdHeader = z.string().meta({
  description: "The log entries of this request carry this id.",
  example: "3f0d9c1e-6a55-4a0e-9d52-2b1f6f0c8f11",
});

function createHeaders(notes: NonNullable<Operation["reply"]["headers"]>) {
  const told = Object.entries(notes).map(([name, meta]) => [
    name,
    z.string().meta(meta),
  ]);
  return z.object({
    "x-request-id": requestIdHeader,
    ...Object.fromEntries(told),
  });
}

/** What the reference says before its first operation, in Markdown. */
const introduction = `
Platen merges JSON data into templates and returns documents: \`pdf\`, \`html\`, \`image\` or \`mjml\`.

- **Key.** Every request carries the header \`x-api-key\`. A key has permissions; each operation names the one it needs.
- **Errors.** Every error is \`{ "error": "what is wrong, where, and how to fix it" }\`.
- **Times** are ISO 8601 in UTC.
- **Lists** take \`page\` and \`pageSize\` (1 to 100) and return \`pagination\` with the \`total\`. Without \`pageSize\` the
  first 100 are returned.
- **Request ids.** Send \`x-request-id\` to find your request in the log; every response carries it, generated if you sent none.

\`\`\`sh
curl -s "$PLATEN/api/export" -H "x-api-key: $KEY" -H "content-type: application/json" \\
  -d '{ "templateId": "…", "formats": ["pdf"], "data": { "number": "2026-117" } }'
\`\`\`
`.trim();
