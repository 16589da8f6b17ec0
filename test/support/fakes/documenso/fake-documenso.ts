import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  type ProviderReply,
  type ProviderRequest,
  ProviderServer,
  StrictSchemas,
  strictObject,
} from "../esign/provider-server.js";
import { inkPdf, listPdf } from "../esign/signed-pdf.js";
import { creation, FakeEnvelope } from "./fake-envelope.js";

const envelopeReference = z.object({ envelopeId: z.string() });
const reminded = z.object({ recipients: z.array(z.number()) });

/** Documenso 2 as its source and its documentation tell of it, on the loopback interface. */
export class FakeDocumenso {
  readonly apiKey = `api_${randomBytes(8).toString("hex")}`;
  readonly webhookSecret = randomBytes(16).toString("hex");
  readonly schemas = new StrictSchemas();
  readonly all: FakeEnvelope[] = [];
  isForbidden = false;
  /** Servers before this one have no audit log to download. */
  hasAuditLog = true;
  readonly server = new ProviderServer((request) => this.#handle(request));

  static async start(): Promise<FakeDocumenso> {
    const fake = new FakeDocumenso();
    await fake.server.listen();
    return fake;
  }

  get url(): string {
    return this.server.url;
  }

  get credentials() {
    const { url, apiKey, webhookSecret } = this;
    return { url, apiKey, webhookSecret };
  }

  get violations(): readonly string[] {
    return this.schemas.violations;
  }

  /** Without those that were deleted. */
  get envelopes(): FakeEnvelope[] {
    return this.all.filter(({ isDeleted }) => !isDeleted);
  }

  envelope(id: string): FakeEnvelope {
    const found = this.envelopes.find((one) => one.id === id);
    if (found) return found;
    throw new Error(`there is no envelope ${id}`);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async #handle(request: ProviderRequest): Promise<ProviderReply> {
    if (request.headers["authorization"] !== this.apiKey)
      return refusal(401, "UNAUTHORIZED", "Invalid token");
    if (this.isForbidden) return refusal(403, "FORBIDDEN", "Not permitted");
    const path = request.path.replace("/api/v2/", "");
    const call = `${request.method} ${path}`;
    if (call === "GET envelope") return this.#list(request);
    if (call === "POST envelope/create") return this.#create(request);
    if (request.method === "POST") return this.#change(path, request);
    return this.#read(path);
  }

  #list({ query }: ProviderRequest): ProviderReply {
    const wanted = (query.get("query") ?? "").toLowerCase();
    const found = this.envelopes.filter(({ made, recipients }) =>
      [made.title, made.externalId, ...recipients.map(({ email }) => email)]
        .map((text) => (text ?? "").toLowerCase())
        .some((text) => text.includes(wanted)),
    );
    const newestFirst = query.get("orderByDirection") !== "asc";
    const sorted = newestFirst ? found.toReversed() : found;
    const perPage = Number(query.get("perPage") ?? 10);
    const data = sorted.slice(0, perPage).map(view);
    const pages = { currentPage: 1, perPage, totalPages: 1 };
    return { status: 200, body: { data, count: found.length, ...pages } };
  }

  async #create({ headers, body }: ProviderRequest): Promise<ProviderReply> {
    const form = await new Response(Buffer.from(body), {
      headers: { "content-type": headers["content-type"] ?? "" },
    })
      .formData()
      .catch(() => new FormData());
    const payload = parsed(form.get("payload"));
    const file = form.get("files");
    const fault = this.schemas.refuse(newEnvelope, payload, "envelope/create");
    if (fault !== null) return refusal(400, "BAD_REQUEST", fault);
    if (!(file instanceof File) || !file.name.endsWith(".pdf"))
      return refusal(400, "INVALID_BODY", "No PDF was sent");
    const pdf = new Uint8Array(await file.arrayBuffer());
    const made = creation.parse(payload);
    const firstId = this.all.length * 100 + 1;
    const now = () => this.server.clock.now;
    const envelope = new FakeEnvelope(made, pdf, firstId, now);
    this.all.push(envelope);
    return { status: 200, body: { id: envelope.id } };
  }

  #change(path: string, { body }: ProviderRequest): ProviderReply {
    const sent = parsed(new TextDecoder().decode(body));
    const schema = {
      "envelope/distribute": distribution,
      "envelope/redistribute": redistribution,
      "envelope/cancel": cancellation,
      "envelope/delete": deletion,
    }[path];
    if (!schema) return refusal(404, "NOT_FOUND", "Not found");
    const fault = this.schemas.refuse(schema, sent, path);
    if (fault !== null) return refusal(400, "BAD_REQUEST", fault);
    const { envelopeId } = envelopeReference.parse(sent);
    const envelope = this.envelopes.find(({ id }) => id === envelopeId);
    if (!envelope) return refusal(404, "NOT_FOUND", "Document not found");
    if (path === "envelope/distribute") return distribute(envelope);
    if (path === "envelope/delete") envelope.isDeleted = true;
    else if (envelope.status !== "PENDING")
      return refusal(400, `ENVELOPE_${envelope.status}`, "It is not pending");
    if (path === "envelope/cancel") envelope.status = "CANCELLED";
    if (path === "envelope/redistribute")
      envelope.remind(reminded.parse(sent).recipients);
    return { status: 200, body: { success: true } };
  }

  async #read(path: string): Promise<ProviderReply> {
    const [, id = "", ...rest] = path.split("/");
    const part = rest.join("/");
    const found = this.envelopes.find((one) =>
      id === "item" ? part.startsWith(`${one.itemId}/`) : one.id === id,
    );
    if (!found) return refusal(404, "NOT_FOUND", "Document not found");
    if (id === "item") return { status: 200, body: await signedOf(found) };
    if (part === "") return { status: 200, body: view(found) };
    if (part === "audit-log/pdf" && this.hasAuditLog)
      return { status: 200, body: await auditOf(found) };
    return refusal(404, "NOT_FOUND", "Not found");
  }
}

function distribute(envelope: FakeEnvelope): ProviderReply {
  const lacks = envelope.made.recipients.some(
    ({ fields }) => !fields.some(({ type }) => type === "SIGNATURE"),
  );
  if (lacks)
    return refusal(
      400,
      "MISSING_SIGNATURE_FIELD",
      "A signer has no signature field",
    );
  if (envelope.status === "DRAFT") envelope.distribute();
  return { status: 200, body: { success: true, id: envelope.id } };
}

function view(envelope: FakeEnvelope) {
  const { id, itemId, status, made, recipients } = envelope;
  return {
    id,
    type: "DOCUMENT",
    status,
    title: made.title,
    externalId: made.externalId,
    recipients: recipients.map((one) => ({ ...one, role: "SIGNER" })),
    envelopeItems: [
      { id: itemId, envelopeId: id, title: "contract", order: 1 },
    ],
  };
}

function refusal(status: number, code: string, message: string): ProviderReply {
  return { status, body: { message, code } };
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

function signedOf({ made, recipients, pdf }: FakeEnvelope) {
  const marks = made.recipients.flatMap(({ fields }, place) =>
    fields.map((field) => ({
      page: field.page,
      x: field.positionX / 100,
      y: field.positionY / 100,
      w: field.width / 100,
      h: field.height / 100,
      text: `Signed by ${recipients[place]?.email}`,
    })),
  );
  return inkPdf(pdf, marks);
}

function auditOf({ id, recipients }: FakeEnvelope) {
  const lines = recipients.map(
    ({ email, signedAt }) => `${email} ${signedAt?.toISOString() ?? ""}`,
  );
  return listPdf([`Audit log of ${id}`, ...lines]);
}

// What Documenso's API v2 takes, closed: packages/trpc/server/envelope-router of documenso/documenso.

const text = { type: "string" };
const named = { type: "string", minLength: 1 };
const percent = { type: "number", minimum: 0, maximum: 100 };

const meta = strictObject(
  {
    type: {
      enum: ["initials", "date", "text", "number", "checkbox", "dropdown"],
    },
  },
  {
    label: text,
    placeholder: text,
    required: { type: "boolean" },
    readOnly: { type: "boolean" },
    text,
    value: text,
    defaultValue: text,
    values: {
      type: "array",
      items: strictObject(
        { value: text },
        { id: { type: "number" }, checked: { type: "boolean" } },
      ),
    },
  },
);

const field = strictObject(
  {
    type: {
      enum: [
        "SIGNATURE",
        "INITIALS",
        "NAME",
        "EMAIL",
        "DATE",
        "TEXT",
        "NUMBER",
        "CHECKBOX",
        "RADIO",
        "DROPDOWN",
      ],
    },
    page: { type: "integer", minimum: 1 },
    positionX: percent,
    positionY: percent,
    width: percent,
    height: percent,
  },
  { identifier: { type: ["string", "integer"] }, fieldMeta: meta },
);

const recipient = strictObject(
  {
    email: { type: "string", format: "email" },
    name: { type: "string", maxLength: 255 },
    role: { enum: ["CC", "SIGNER", "VIEWER", "APPROVER", "ASSISTANT"] },
  },
  { signingOrder: { type: "number", minimum: 1 }, fields: list(field) },
);

const settings = strictObject(
  {},
  {
    subject: { type: "string", maxLength: 254 },
    message: { type: "string", maxLength: 5000 },
    timezone: text,
    dateFormat: text,
    distributionMethod: { enum: ["EMAIL", "NONE"] },
    signingOrder: { enum: ["PARALLEL", "SEQUENTIAL"] },
    redirectUrl: text,
    language: text,
    envelopeExpirationPeriod: strictObject({
      unit: { enum: ["day", "week", "month", "year"] },
      amount: { type: "integer", minimum: 1 },
    }),
  },
);

/** The part `payload` of `POST /envelope/create`. */
const newEnvelope = strictObject(
  { title: { ...named, maxLength: 255 }, type: { enum: ["DOCUMENT"] } },
  {
    externalId: { type: "string", maxLength: 255 },
    recipients: list(recipient),
    meta: settings,
  },
);

const distribution = strictObject({ envelopeId: named }, { meta: settings });

const redistribution = strictObject({
  envelopeId: named,
  recipients: { type: "array", minItems: 1, items: { type: "integer" } },
});

const cancellation = strictObject({ envelopeId: named }, { reason: text });

const deletion = strictObject({ envelopeId: named });

function list(items: object) {
  return { type: "array", items };
}
