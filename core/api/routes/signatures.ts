import { Router } from "@koa/router";
import { z } from "zod";
import { clock } from "../../lib/clock.js";
import { normalizeId } from "../../lib/ids.js";
import { getBasePath } from "../../lib/process-values.js";
import type { ConnectionService } from "../../integrations/connections/index.js";
import { PlatenError, type ShownPage } from "../../plugin-api/index.js";
import {
  type SignatureNotices,
  type Signatures,
  signatureSchema,
} from "../../signatures/index.js";
import { getActor, type HttpContext, type HttpState } from "../middleware.js";
import { createDefinition, type Operation } from "../operation.js";
import { formFields, readNotice } from "../request-body.js";
import { showErrorPages, RunPages } from "../run-page/run-pages.js";
import { pageSchema, pageOf, pageQuery } from "../schemas.js";
import { idInput } from "../../lib/schemas.js";

const signatureParams = z.strictObject({
  signatureId: idInput.meta({ description: "UUID of the request." }),
});
const defineOperation = createDefinition("Signatures");
const onePath = "/api/signatures/:signatureId";

export function signatureOperations(signatures: Signatures): Operation[] {
  return [
    defineOperation({
      id: "listSignatures",
      get: "/api/signatures",
      scope: "documents:read",
      summary: "List signature requests",
      description: "Newest first.",
      query: z.strictObject({
        ...pageQuery,
        status: signatureSchema.shape.status.optional(),
        documentId: idInput
          .optional()
          .meta({ description: "Of this document." }),
      }),
      reply: {
        description: "A page of requests.",
        schema: pageSchema(signatureSchema),
      },
      handle: ({ caller, query: { status, documentId, ...page } }) =>
        signatures.list(caller.organizationId, {
          ...pageOf(page),
          status,
          documentId,
        }),
    }),
    defineOperation({
      id: "getSignature",
      get: onePath,
      scope: "documents:read",
      summary: "Read a signature request",
      description:
        "Who signs and how far they are, as it was seen last; once it is completed, with the signed files.",
      params: signatureParams,
      reply: { description: "The request.", schema: signatureSchema },
      handle: ({ caller, params: { signatureId } }) =>
        signatures.get(caller.organizationId, signatureId),
    }),
    defineOperation({
      id: "cancelSignature",
      post: `${onePath}/cancel`,
      scope: "documents:write",
      summary: "Withdraw a signature request",
      description:
        "At the provider too. One that is canceled already stays so; one that has ended otherwise is answered with 409.",
      params: signatureParams,
      reply: { description: "The request, canceled.", schema: signatureSchema },
      errors: [409],
      handle: ({ caller, params: { signatureId } }) =>
        signatures.cancel(caller.organizationId, signatureId, getActor(caller)),
    }),
    defineOperation({
      id: "resendSignature",
      post: `${onePath}/resend`,
      scope: "documents:write",
      summary: "Remind those who are to sign",
      description:
        "Has the provider write once more to those whose turn it is. Only while the request is `pending`.",
      params: signatureParams,
      reply: { description: "The request.", schema: signatureSchema },
      errors: [409],
      handle: ({ caller, params: { signatureId } }) =>
        signatures.resend(caller.organizationId, signatureId, getActor(caller)),
    }),
  ];
}

/**
 * What e-signature providers send to us. It needs no key: each provider proves its notices in its own way, over the
 * bytes as they came.
 */
export function signatureNoticeRoutes(
  notices: Pick<SignatureNotices, "receive">,
): Router<HttpState> {
  const router = new Router<HttpState>();
  router.post("/api/esign/notices/:connectionId", async (ctx) => {
    await notices.receive(normalizeId(ctx.params["connectionId"] ?? ""), {
      ...(await readNotice(ctx)),
      receivedAt: clock.date(),
    });
    ctx.status = 202;
    ctx.body = { received: true };
  });
  return router;
}

interface EsignPageServices {
  connections: Pick<ConnectionService, "findEsign">;
  signatureNotices: Pick<SignatureNotices, "noticed">;
  baseUrl: string;
}

/** Nothing but what the page itself says, and its own form. */
const esignPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * The pages of e-signature providers that have no server of their own. They need no key: what the provider has put into
 * the address is the proof, and only the provider knows it.
 */
export function esignPageRoutes(
  services: EsignPageServices,
): Router<HttpState> {
  const at = getBasePath(services.baseUrl);
  const router = new Router<HttpState>();
  router.use("/esign/:connectionId", showErrorPages(new RunPages(at), at));
  router.get("/esign/:connectionId/*path", (ctx) =>
    showEsignPage(ctx, services, "GET", new Map()),
  );
  router.post("/esign/:connectionId/*path", async (ctx) =>
    showEsignPage(ctx, services, "POST", await formFields(ctx)),
  );
  return router;
}

async function showEsignPage(
  ctx: HttpContext,
  { connections, signatureNotices }: EsignPageServices,
  method: "GET" | "POST",
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  const [, , connectionId = "", ...parts] = ctx.path.split("/");
  const connection = await connections.findEsign(normalizeId(connectionId));
  const path = parts.map(decodePathPart).join("/");
  const form = Object.fromEntries(fields);
  const page = await connection?.provider.page({ method, path, form });
  if (!connection || !page)
    throw new PlatenError("not_found", "There is no such page.");
  if (page.notice) await signatureNotices.noticed(connection.id, page.notice);
  sendEsignPage(ctx, page);
}

function sendEsignPage(
  ctx: HttpContext,
  { status, mimeType, body }: ShownPage,
): void {
  ctx.status = status;
  ctx.type = mimeType;
  ctx.set("content-security-policy", esignPagePolicy);
  ctx.set("cache-control", "no-store");
  ctx.set("referrer-policy", "no-referrer");
  ctx.body = typeof body === "string" ? body : Buffer.from(body);
}

function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
