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
    description: "Many records at once, rendered in the background.",
  },
  {
    name: "Links",
    description:
      "For people without a key: a page that makes documents of their records.",
  },
  {
    name: "Templates",
    description: "Read templates and change their settings.",
  },
  {
    name: "Assets",
    description: "The library: images, videos, fonts and PDFs.",
  },
  { name: "Folders", description: "Of templates and of assets." },
  { name: "Account", description: "What the organization used." },
  {
    name: "Webhooks",
    description: "Be told of what becomes of a batch's documents.",
  },
  {
    name: "Signatures",
    description: "Documents on their way to being signed.",
  },
  {
    name: "Connections",
    description:
      "Saved access to platforms whose records are rendered, and to e-signature providers.",
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
    description: "`Link <token>`: the token of a link, in place of a key.",
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
  const { body, takesLinks, takesFile } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\nPermission: \`${scope}\`.`,
    requestParams: {
      ...(params instanceof z.ZodObject && { path: params }),
      ...(query instanceof z.ZodObject && { query }),
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
  (typeof commonErrors)[number] | NonNullable<Operation["errors"]>[number];

const errorDescriptions: Record<
  ErrorStatus,
  [description: string, example: string]
> = {
  400: [
    "Something in the request is not right, or the key lacks the permission.",
    "The query is not right. pageSize: must be a whole number from 1 to 100.",
  ],
  401: [
    "The key is missing, unknown, revoked or expired.",
    "This needs an API key in the header x-api-key.",
  ],
  404: [
    "There is none with this id in the key's organization.",
    "There is no such template.",
  ],
  409: [
    "What is asked for does not go with the state that it is in.",
    "The endpoint is disabled (by its owner). Enable it first.",
  ],
  410: ["What was there is deleted.", "The files of this batch have expired."],
  413: [
    "The body is over the limit.",
    "The body is over the limit of 10485760 bytes.",
  ],
  429: [
    "Too much is waiting already; try again after `Retry-After` seconds.",
    "Too many documents are waiting to be printed. Try again in a moment.",
  ],
  500: [
    "Something went wrong in the service. The log has it under `x-request-id`.",
    "Something went wrong in the service, not in the request.",
  ],
  503: [
    "A part of the service is not there at the moment; try again.",
    "The browser that prints is not running.",
  ],
};

/** All answers of an operation, errors with their examples. */
function createResponses({
  reply,
  errors = [],
}: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${reply.status ?? 200}`]: {
      description: reply.description,
      headers: createHeaders(reply.headers ?? {}),
      content: {
        [reply.mimeType ?? "application/json"]: { schema: reply.schema },
      },
    },
  };
  for (const status of [...commonErrors, ...errors])
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
  description: "Under this id the log tells about the request.",
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
Platen merges JSON data into templates and answers with documents: \`pdf\`, \`html\`, \`image\` or \`mjml\`.

- **Key.** Every request carries the header \`x-api-key\`. A key has permissions; each operation names the one it needs.
- **Errors.** Every error is \`{ "error": "what, where, and how to mend it" }\`.
- **Times** are ISO 8601 in UTC.
- **Lists** take \`page\` and \`pageSize\` (1 to 100) and return \`pagination\` with the \`total\`. Without \`pageSize\` the
  first 100 are returned.
- **Request ids.** Send \`x-request-id\` to find your request in the log; it is returned, or made, in any case.

\`\`\`sh
curl -s "$PLATEN/api/export" -H "x-api-key: $KEY" -H "content-type: application/json" \\
  -d '{ "templateId": "…", "formats": ["pdf"], "data": { "number": "2026-117" } }'
\`\`\`
`.trim();
