import type {
  oas31,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
} from "zod-openapi";
import { z } from "zod";
import type { Operation } from "../operation.js";
import { errorBody } from "../schemas/common.js";
import { responsesOf } from "./responses.js";
import { introduction } from "./introduction.js";

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
    paths: pathsOf(operations),
    components: {
      schemas: { Error: errorBody },
      securitySchemes,
    },
  });
}

function pathsOf(
  operations: readonly Operation[],
): NonNullable<ZodOpenApiObject["paths"]> {
  const paths: NonNullable<ZodOpenApiObject["paths"]> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [operation.method]: operationOf(operation),
    };
  }
  return paths;
}

const bytes = { type: "string", format: "binary" } as const;

/** A body that is a file, or a form with one. */
const aFile = {
  "application/octet-stream": { schema: bytes },
  "multipart/form-data": {
    schema: { type: "object", properties: { file: bytes } },
  },
} as const;

function operationOf(operation: Operation): ZodOpenApiOperationObject {
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
          ...(takesFile && aFile),
        },
      },
    }),
    ...(takesLinks && { security: [{ apiKey: [] }, { link: [] }] }),
    responses: responsesOf(operation),
  };
}
