import { z } from "zod";
import type { ZodOpenApiResponsesObject } from "zod-openapi";
import type { Operation } from "../operation.js";
import { errorBody } from "../schemas/common.js";

const always = [400, 401, 500] as const;
type ErrorStatus =
  (typeof always)[number] | NonNullable<Operation["errors"]>[number];

const meanings: Record<ErrorStatus, [description: string, example: string]> = {
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
export function responsesOf({
  reply,
  errors = [],
}: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${reply.status ?? 200}`]: {
      description: reply.description,
      headers: headersOf(reply.headers ?? {}),
      content: {
        [reply.mimeType ?? "application/json"]: { schema: reply.schema },
      },
    },
  };
  for (const status of [...always, ...errors])
    responses[`${status}`] = errorResponse(...meanings[status]);
  return responses;
}

function errorResponse(description: string, example: string) {
  return {
    description,
    content: {
      "application/json": { schema: errorBody, example: { error: example } },
    },
  };
}

const requestIdHeader = z.string().meta({
  description: "Under this id the log tells about the request.",
  example: "3f0d9c1e-6a55-4a0e-9d52-2b1f6f0c8f11",
});

function headersOf(notes: NonNullable<Operation["reply"]["headers"]>) {
  const told = Object.entries(notes).map(([name, meta]) => [
    name,
    z.string().meta(meta),
  ]);
  return z.object({
    "x-request-id": requestIdHeader,
    ...Object.fromEntries(told),
  });
}
