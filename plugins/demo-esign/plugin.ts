import { createHash, randomBytes } from "node:crypto";
import {
  type EsignContext,
  type EsignProvider,
  PLUGIN_API,
  PlatformError,
  type RequestState,
  type SignedFile,
  type SignRequest,
  type StartedRequest,
} from "../../core/plugin-api/index.js";
import {
  type DemoRequest,
  type KeptRequest,
  signerStatus,
  statusOf,
} from "./kept-request.js";
import { RequestFolder } from "./request-folder.js";
import { auditPdf } from "./paper/audit-pdf.js";
import { signedPdf } from "./paper/signed-pdf.js";
import { visit } from "./visit.js";
import { demoMark } from "./words.js";

type Context = EsignContext<unknown>;

/** Shows how signing goes, without mail, without a provider, and without any meaning in law. Lives inside the service. */
export const demoEsignPlugin: EsignProvider = {
  meta: {
    kind: "esign",
    id: "demo-esign",
    title: `Demo (${demoMark})`,
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  },
  credentials: {
    schema: { type: "object", additionalProperties: false, properties: {} },
  },
  capabilities: {
    order: true,
    values: true,
    expiry: "instant",
    message: true,
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
  check,
  start,
  find,
  status,
  download,
  cancel,
  parseNotice: () => null,
  page: visit,
};

async function check(context: Context) {
  await context.folder();
  return {
    account: "the demo inside this service",
    warnings: [
      `${demoMark}. It sends no mail: hand out the signers' links yourself.`,
    ],
  };
}

async function start(
  context: Context,
  request: SignRequest,
): Promise<StartedRequest> {
  const requests = await requestsOf(context);
  const id = idOf(request.requestId);
  await requests.add(keptOf(id, request), request.pdf.bytes);
  return stateOf(await requests.require(id), context);
}

async function find(
  context: Context,
  requestId: string,
): Promise<StartedRequest | null> {
  const found = await (await requestsOf(context)).read(idOf(requestId));
  return found && stateOf(found, context);
}

async function status(
  context: Context,
  externalId: string,
): Promise<RequestState> {
  const requests = await requestsOf(context);
  return stateOf(await requests.require(externalId), context);
}

async function download(
  context: Context,
  externalId: string,
): Promise<SignedFile[]> {
  const requests = await requestsOf(context);
  const demo = await requests.require(externalId);
  if (statusOf(demo, new Date()) !== "completed")
    throw new PlatformError("unavailable", "not all have signed yet.");
  const original = await requests.pdfOf(externalId);
  const mimeType = "application/pdf";
  return [
    { label: "signed", mimeType, bytes: await signedPdf(original, demo) },
    { label: "audit", mimeType, bytes: await auditPdf(demo) },
  ];
}

async function cancel(context: Context, externalId: string): Promise<void> {
  const requests = await requestsOf(context);
  await requests.require(externalId);
  await requests.cancel(externalId);
}

async function requestsOf(context: Context): Promise<RequestFolder> {
  return new RequestFolder(await context.folder());
}

/** The same in every attempt, so that there is never a second one. */
function idOf(requestId: string): string {
  const hash = createHash("sha256").update(requestId).digest("hex");
  return `demo_${hash.slice(0, 32)}`;
}

function keptOf(id: string, request: SignRequest): KeptRequest {
  const { title, expiresAt, message, fields, submitters, pdf } = request;
  return {
    id,
    title,
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

function stateOf(demo: DemoRequest, context: Context): RequestState {
  const { id, signers } = demo.request;
  return {
    externalId: id,
    status: statusOf(demo, new Date()),
    signers: signers.map(({ role, token }, place) => {
      const reason = demo.answers[place]?.reason;
      return {
        role,
        url: context.pageAddress(`${id}/${token}`),
        status: signerStatus(demo, place),
        ...(reason && { reason }),
      };
    }),
  };
}
