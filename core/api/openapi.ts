import { z } from "zod";
import type {
  oas31,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { definitionJsonSchema } from "../definition/index.js";
import { webhookEventSchema } from "../webhooks/index.js";
import type { ErrorStatus, Operation } from "./operation.js";
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
    name: "Automations",
    description: "Create documents on a schedule, or when records change.",
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

/** Where the JSON Schema of a definition is served. */
export const DEFINITION_SCHEMA = "/schemas/definition-v1.json";

/** The OpenAPI 3.1 document of these operations. What makes it takes long to load, hence is loaded here. */
export async function openApiDocument(
  operations: readonly Operation[],
  { baseUrl, version }: { baseUrl: string; version: string },
): Promise<oas31.OpenAPIObject> {
  const { createDocument } = await import("zod-openapi");
  const document = createDocument({
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
    webhooks: createWebhooks(),
    components: {
      schemas: { Error: errorSchema, WebhookEvent: webhookEventSchema },
      securitySchemes,
    },
  });
  Object.assign(document.components?.schemas ?? {}, definitionSchemas(baseUrl));
  simplifySchemas(document);
  return document;
}

function rename(name: string): string {
  return name === "Template" ? "TemplateText" : name;
}

/**
 * The definition and its parts, from its JSON Schema. Its `Template` is a text, and that of the API a resource, hence
 * the other name. Where fields that begin with `x-` are allowed, others are not excluded: generators would turn the
 * pattern into a type with any field, which hides typing errors.
 */
function definitionSchemas(
  baseUrl: string,
): Record<string, oas31.SchemaObject> {
  const { $defs = {}, $schema: _dialect, ...root } = definitionJsonSchema();
  const Definition = {
    ...root,
    externalDocs: {
      description: "The same as JSON Schema, with fields that begin with `x-`.",
      url: baseUrl + DEFINITION_SCHEMA,
    },
  };
  const convert = ({ patternProperties, ...schema }: JsonSchema) => {
    if (patternProperties) delete schema.additionalProperties;
    const text = JSON.stringify({
      ...schema,
      ...createDiscriminator(schema, $defs),
    });
    return JSON.parse(text, (key, value: unknown) =>
      key === "$ref" ? toSchemaRef(rename(toName(String(value)))) : value,
    );
  };
  // Any value, without naming itself, which some generators cannot express.
  const Json: JsonSchema = { description: "Any JSON value." };
  return Object.fromEntries(
    Object.entries({ ...$defs, Json, Definition }).map(([name, schema]) => [
      rename(name),
      convert(schema),
    ]),
  );
}

/**
 * Moves defaults into descriptions, because generators take a field with a default for one that requests must contain;
 * and leaves out the pattern of a timestamp, of which its format says enough.
 */
function simplifySchemas(part: unknown): void {
  if (typeof part !== "object" || part === null) return;
  if (isSchema(part)) {
    if (part.default !== undefined) {
      const text = `Default: \`${JSON.stringify(part.default)}\`.`;
      part.description = [part.description, text].filter(Boolean).join(" ");
      delete part.default;
    }
    if (part.format === "date-time") delete part.pattern;
  }
  for (const value of Object.values(part)) simplifySchemas(value);
}

/** Not one that is called `type` or `$ref` itself. */
function isSchema(part: object): part is oas31.SchemaObject {
  return ["type", "$ref"].some(
    (name) =>
      typeof Object.getOwnPropertyDescriptor(part, name)?.value === "string",
  );
}

type JsonSchema = ReturnType<typeof definitionJsonSchema>;

/** The discriminator of a schema whose options differ by their `type`. */
function createDiscriminator(
  { oneOf = [] }: JsonSchema,
  $defs: Record<string, JsonSchema>,
): Pick<oas31.SchemaObject, "discriminator"> {
  const mapping = oneOf.flatMap((option) => {
    const name = toName(String(Object(option).$ref));
    const type = $defs[name]?.properties?.["type"];
    return typeof type === "object" && typeof type.const === "string"
      ? [[type.const, toSchemaRef(name)]]
      : [];
  });
  if (mapping.length === 0) return {};
  const discriminator = {
    propertyName: "type",
    mapping: Object.fromEntries(mapping),
  };
  return { discriminator };
}

function toName(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

function toSchemaRef(name: string): string {
  return `#/components/schemas/${name}`;
}

const webhookHeaders = z.object({
  "webhook-id": z.string().meta({
    description: "The same in every attempt and every replay.",
  }),
  "webhook-timestamp": z
    .string()
    .meta({ description: "Seconds since 1970.", example: "1785490200" }),
  "webhook-signature": z.string().meta({
    description:
      "`v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`; several are separated by spaces.",
  }),
});

/** What endpoints receive, by the type of the event. */
function createWebhooks(): NonNullable<ZodOpenApiObject["webhooks"]> {
  return Object.fromEntries(
    webhookEventSchema.options.map((message) => {
      const [type] = message.shape.type.values;
      const summary = message.meta()?.description ?? "";
      const operation: ZodOpenApiOperationObject = {
        operationId: `on${message.meta()?.id ?? ""}`,
        tags: ["Webhooks"],
        summary,
        description:
          "Verify the signature before you use the message. Any other status than 2xx is retried.",
        security: [],
        requestParams: { header: webhookHeaders },
        requestBody: {
          required: true,
          content: { "application/json": { schema: message } },
        },
        responses: {
          "2XX": { description: "The message was received." },
          "410": { description: "The endpoint is gone. It is disabled." },
        },
      };
      return [type, { post: operation }];
    }),
  );
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
      ...(idempotent && { header: idempotencyHeaders }),
    },
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: operation.isForm
          ? {
              "multipart/form-data": {
                schema: body,
                encoding: { request: { contentType: "application/json" } },
              },
            }
          : {
              "application/json": { schema: body },
              ...(takesFile && fileContent),
            },
      },
    }),
    ...(takesLinks && { security: [{ apiKey: [] }, { link: [] }] }),
    responses: createResponses(operation),
  };
}

const idempotencyHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description:
        "A new value for each piece of work, such as a UUID. A request that is sent again with the same value and the same " +
        "body within 24 hours gets the same response, and nothing is done twice.",
      example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
      param: { id: "IdempotencyKey" },
    }),
});

const seconds = z.int().min(0).meta({ example: 12 });
const retryAfter = seconds.meta({
  description: "Wait this many seconds.",
});
const retryAfterIfKnown = seconds.optional().meta({
  description: "If present, try again after this many seconds.",
});

const replayedHeader = z
  .literal("true")
  .optional()
  .meta({
    description:
      "Present when the request's `Idempotency-Key` was used before with the same body: this is the same response, and nothing " +
      "was done again.",
  });

/**
 * Of every response; those of rates only where a limit is set. Not shared by reference: generators take a header for
 * required then.
 */
const commonHeaders = {
  "x-request-id": z.string().meta({
    description: "The log entries of this request carry this id.",
    example: "3f0d9c1e-6a55-4a0e-9d52-2b1f6f0c8f11",
  }),
  "ratelimit-limit": z.int().optional().meta({
    description: "Requests a minute, if there is a limit.",
  }),
  "ratelimit-remaining": z.int().optional().meta({
    description: "What is left of the limit in this minute.",
  }),
  "ratelimit-reset": z.int().optional().meta({
    description: "Seconds until the minute is over.",
  }),
  "ratelimit-policy": z.string().optional().meta({
    description:
      'The limit in the words of the IETF draft, such as `"minute";q=120;w=60`.',
  }),
  ratelimit: z.string().optional().meta({
    description:
      'The state in the words of the IETF draft, such as `"minute";r=119;t=42`.',
  }),
};

const errorResponses = {
  400: createError(
    "BadRequest",
    "The request is invalid, or the key lacks the required permission.",
    "Invalid query. pageSize: must be a whole number from 1 to 100.",
  ),
  401: createError(
    "Unauthorized",
    "The key is missing, unknown, revoked or expired.",
    "This needs an API key in the header x-api-key.",
  ),
  403: createError(
    "WrongNetwork",
    "The key is bound to networks, and the client's address is in none of them.",
    "This API key may not be used from 203.0.113.7.",
  ),
  404: createError(
    "NotFound",
    "The key's organization has no resource with this id.",
    "There is no such template.",
  ),
  409: createError(
    "Conflict",
    "The resource's state does not allow this request, or its `Idempotency-Key` is in use or was used for another request.",
    "The endpoint is disabled (by its owner). Enable it first.",
    { "retry-after": retryAfterIfKnown },
  ),
  410: createError(
    "Gone",
    "The files were deleted.",
    "The files of this batch have expired.",
  ),
  413: createError(
    "PayloadTooLarge",
    "The request body exceeds the size limit.",
    "The body is over the limit of 10485760 bytes.",
  ),
  415: createError(
    "UnsupportedMediaType",
    "The body has a type or charset that is not supported.",
    'Unsupported charset "iso-8859-1". Send the body as UTF-8.',
  ),
  429: createError(
    "TooManyRequests",
    "Too many requests. Try again after `Retry-After` seconds.",
    "Too many documents are waiting to be printed. Try again in a moment.",
    { "retry-after": retryAfter },
  ),
  500: createError(
    "InternalError",
    "An internal error. The log entry carries the value of `x-request-id`.",
    "Something went wrong in the service, not in the request.",
  ),
  503: createError(
    "ServiceUnavailable",
    "A part of the service is temporarily unavailable. Try again.",
    "The browser that prints is not running.",
    { "retry-after": retryAfterIfKnown },
  ),
} satisfies Record<ErrorStatus, ZodOpenApiResponseObject>;

function createError(
  id: string,
  description: string,
  example: string,
  headers: Record<string, z.ZodType> = {},
) {
  return {
    id,
    description,
    headers: z.object({ ...commonHeaders, ...headers }),
    content: {
      "application/json": { schema: errorSchema, example: { error: example } },
    },
  };
}

/** What can happen to every request: no limit, shutdown or fault is announced. */
const commonErrors = [400, 401, 403, 429, 500, 503] as const;

function createResponses(operation: Operation): ZodOpenApiResponsesObject {
  const { reply, errors = [], params, method, body, idempotent } = operation;
  const notes = Object.entries(reply.headers ?? {});
  const responses: ZodOpenApiResponsesObject = {
    [`${reply.status ?? 200}`]: {
      description: reply.description,
      headers: z.object({
        ...commonHeaders,
        ...(idempotent && { "idempotency-replayed": replayedHeader }),
        ...createHeaders(notes),
      }),
      content: {
        [reply.mimeType ?? "application/json"]: { schema: reply.schema },
      },
    },
  };
  const statuses = new Set<ErrorStatus>([
    ...commonErrors,
    ...(params && method !== "put" ? ([404] as const) : []),
    ...(idempotent ? ([409] as const) : []),
    ...(body ? ([413, 415] as const) : []),
    ...errors,
  ]);
  const ownHeaders = createHeaders(
    notes
      .filter(([, { withErrors }]) => withErrors)
      .map(([name, note]) => [name, { ...note, optional: true }]),
  );
  for (const status of statuses) {
    const { id: _shared, ...response } = errorResponses[status];
    responses[`${status}`] =
      Object.keys(ownHeaders).length === 0
        ? errorResponses[status]
        : { ...response, headers: response.headers.extend(ownHeaders) };
  }
  return responses;
}

function createHeaders(
  notes: [string, NonNullable<Operation["reply"]["headers"]>[string]][],
): Record<string, z.ZodType> {
  return Object.fromEntries(
    notes.map(([name, { description, example, optional }]) => {
      const schema = z.string().meta({ description, example });
      return [name, optional ? schema.optional() : schema];
    }),
  );
}

/** What the reference says before its first operation, in Markdown. */
const introduction = `
Platen merges JSON data into templates and returns documents: \`pdf\`, \`html\`, \`image\`, \`mjml\` or \`xml\`.

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
