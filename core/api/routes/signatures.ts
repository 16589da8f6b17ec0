import { z } from "zod";
import type { Signatures } from "../../signatures/index.js";
import { actorOf } from "../actor-of.js";
import { operation, type Operation } from "../operation.js";
import { pagination } from "../schemas/common.js";
import { pageOf, pageQuery } from "../schemas/query.js";
import { signature, signatureStatus } from "../schemas/signature.js";

const params = z.strictObject({
  signatureId: z.string().meta({ description: "UUID of the request." }),
});
const tag = "Signatures";
const one = "/api/signatures/:signatureId";

/** Documents that were sent to be signed. */
export function signatureOperations(signatures: Signatures): Operation[] {
  return [
    list(signatures),
    read(signatures),
    cancel(signatures),
    resend(signatures),
  ];
}

function list(signatures: Signatures): Operation {
  return operation({
    id: "listSignatures",
    method: "get",
    path: "/api/signatures",
    scope: "documents:read",
    tag,
    summary: "List signature requests",
    description: "The newest first.",
    query: z.strictObject({
      ...pageQuery,
      status: signatureStatus.optional(),
      documentId: z
        .string()
        .optional()
        .meta({ description: "Of this document." }),
    }),
    reply: {
      description: "A page of requests.",
      schema: z.strictObject({ data: z.array(signature), pagination }),
    },
    handle: ({ caller, query: { status, documentId, ...page } }) =>
      signatures.list(caller.organizationId, {
        ...pageOf(page),
        status,
        documentId,
      }),
  });
}

function read(signatures: Signatures): Operation {
  return operation({
    id: "getSignature",
    method: "get",
    path: one,
    scope: "documents:read",
    tag,
    summary: "Read a signature request",
    description:
      "Who signs and how far they are, as it was seen last; once it is completed, with the signed files.",
    params,
    reply: { description: "The request.", schema: signature },
    errors: [404],
    handle: ({ caller, params: { signatureId } }) =>
      signatures.get(caller.organizationId, signatureId),
  });
}

function cancel(signatures: Signatures): Operation {
  return operation({
    id: "cancelSignature",
    method: "post",
    path: `${one}/cancel`,
    scope: "documents:write",
    tag,
    summary: "Withdraw a signature request",
    description:
      "At the provider too. One that is canceled already stays so; one that has ended otherwise is answered with 409.",
    params,
    reply: { description: "The request, canceled.", schema: signature },
    errors: [404, 409, 429, 503],
    handle: ({ caller, params: { signatureId } }) =>
      signatures.cancel(caller.organizationId, signatureId, actorOf(caller)),
  });
}

function resend(signatures: Signatures): Operation {
  return operation({
    id: "resendSignature",
    method: "post",
    path: `${one}/resend`,
    scope: "documents:write",
    tag,
    summary: "Remind those who are to sign",
    description:
      "Has the provider write once more to those whose turn it is. Only while the request is `pending`.",
    params,
    reply: { description: "The request.", schema: signature },
    errors: [404, 409, 429, 503],
    handle: ({ caller, params: { signatureId } }) =>
      signatures.resend(caller.organizationId, signatureId, actorOf(caller)),
  });
}
