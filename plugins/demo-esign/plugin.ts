import { createHash, randomBytes } from "node:crypto";
import {
  clock,
  type EsignContext,
  type EsignProvider,
  PlatformError,
  type RequestState,
  type SignRequest,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { createAuditPdf, createSignedPdf } from "./pdf.js";
import {
  demoNotice,
  type DemoRequest,
  getRequestStatus,
  getSignerStatus,
  RequestStore,
  type StoredRequest,
} from "./requests.js";
import { handlePageVisit } from "./sign-page.js";

type Context = EsignContext<unknown>;

/** Demonstrates signing without email, without a provider and without legal effect. Runs inside the service. */
export const demoEsignPlugin: EsignProvider = {
  meta: createMeta("esign", "demo-esign", "Demo (not legally binding)"),
  credentials: {
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {},
      translations: {
        de: { title: "Demo (nicht rechtsverbindlich)" },
        es: { title: "Demo (sin validez legal)" },
        fr: { title: "Démo (sans valeur juridique)" },
      },
    },
  },
  capabilities: {
    order: true,
    values: true,
    expiry: "instant",
    message: true,
    redirect: true,
    cancel: true,
    resend: false,
    noticeProof: "none",
    fields: [
      "signature",
      "initials",
      "date",
      "text",
      "checkbox",
      "select",
      "number",
    ],
    maxFileBytes: 40 * 1024 * 1024,
  },
  rate: { key: () => "demo", maxInFlight: 8 },
  async check(context) {
    await context.folder();
    return {
      account: "Built-in demo",
      warnings: [
        `${demoNotice}. It sends no emails: send the signers their links yourself.`,
      ],
    };
  },

  async start(context, request) {
    const requests = await openStore(context);
    const id = createId(request.requestId);
    await requests.add(toStoredRequest(id, request), request.pdf.bytes);
    return toRequestState(await requests.get(id), context);
  },

  async find(context, requestId) {
    const demo = await (await openStore(context)).find(createId(requestId));
    return demo && toRequestState(demo, context);
  },

  async status(context, externalId) {
    const requests = await openStore(context);
    return toRequestState(await requests.get(externalId), context);
  },

  async download(context, externalId) {
    const requests = await openStore(context);
    const demo = await requests.get(externalId);
    if (getRequestStatus(demo, clock.date()) !== "completed")
      throw new PlatformError(
        "unavailable",
        "Not all signers have signed yet.",
      );
    const original = await requests.readPdf(externalId);
    const mimeType = "application/pdf";
    return [
      {
        label: "signed",
        mimeType,
        bytes: await createSignedPdf(original, demo),
      },
      { label: "audit", mimeType, bytes: await createAuditPdf(demo) },
    ];
  },

  async cancel(context, externalId) {
    const requests = await openStore(context);
    await requests.get(externalId);
    await requests.cancel(externalId);
  },

  parseNotice: () => null,
  page: handlePageVisit,
};

async function openStore(context: Context): Promise<RequestStore> {
  return new RequestStore(await context.folder());
}

/** Derives the id from the request, so that repeated attempts never create a second one. */
function createId(requestId: string): string {
  const hash = createHash("sha256").update(requestId).digest("hex");
  return `demo_${hash.slice(0, 32)}`;
}

function toStoredRequest(id: string, request: SignRequest): StoredRequest {
  const { title, expiresAt, message, fields, submitters, pdf } = request;
  return {
    id,
    title,
    redirectUrl: request.redirectUrl ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    message: message?.body ?? "",
    pages: pdf.pages,
    sizeBytes: pdf.bytes.length,
    sha256: createHash("sha256").update(pdf.bytes).digest("hex"),
    fields: fields.map(({ options = [], ...field }) => ({
      ...field,
      options: [...options],
    })),
    signers: submitters.map(({ role, email, name, order, values = {} }) => ({
      role,
      email,
      name: name ?? email,
      order,
      values,
      token: randomBytes(32).toString("base64url"),
    })),
  };
}

function toRequestState(demo: DemoRequest, context: Context): RequestState {
  const { id, signers } = demo.request;
  return {
    externalId: id,
    status: getRequestStatus(demo, clock.date()),
    signers: signers.map(({ role, token }, signer) => {
      const reason = demo.answers[signer]?.reason;
      return {
        role,
        url: context.pageAddress(`${id}/${token}`),
        status: getSignerStatus(demo, signer),
        ...(reason && { reason }),
      };
    }),
  };
}
