import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  ProviderServer,
  StrictSchemas,
  strictObject,
  fillPdf,
  createTextPdf,
  pdfReply,
} from "./esign-provider-server.js";
import { readBody, type FakeReply, type FakeRequest } from "./fake-server.js";
import { listWords } from "../rows.js";

// Documenso 2 on the loopback interface, by its source (github.com/documenso/documenso, packages/trpc/server/envelope-router,
// packages/lib/server-only/document and packages/lib/errors/app-error.ts). It refuses what Documenso refuses:
// - an unknown API key: 401; a key whose team may not do it: 403; an envelope that is deleted or never existed: 404
// - bodies with a wrong value (400), and, stricter than Documenso, which ignores them, properties that it does not have
// - pages of more than 100 envelopes (packages/lib/types/search-params.ts)
// - a file that is no PDF; sending an envelope without recipients, with a signer without a field for a signature, or that has
//   ended (send-document.ts)
// - canceling an envelope that is not pending: 400 (cancel-document.ts); reminding of a draft or of one that has ended: 500
//   (resend-document.ts); signing before one's turn, twice or too late

const envelopeReference = z.object({ envelopeId: z.string() });
const reminded = z.object({ recipients: z.array(z.number()) });

export class FakeDocumenso {
  readonly apiKey = `api_${randomBytes(8).toString("hex")}`;
  readonly webhookSecret = randomBytes(16).toString("hex");
  readonly schemas = new StrictSchemas();
  readonly all: FakeEnvelope[] = [];
  isForbidden = false;
  /** Where the audit log is, by version; null on old servers, which have none to download. */
  auditLogPath: "audit-log/download" | "audit-log/pdf" | null =
    "audit-log/download";
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

  async #handle(request: FakeRequest): Promise<FakeReply> {
    if (request.headers["authorization"] !== this.apiKey)
      return rejection(401, "UNAUTHORIZED", "Invalid token");
    if (this.isForbidden) return rejection(403, "FORBIDDEN", "Not permitted");
    const path = request.path.replace("/api/v2/", "");
    const call = `${request.method} ${path}`;
    if (call === "GET envelope") return this.#list(request);
    if (call === "POST envelope/create") return this.#create(request);
    if (request.method === "POST") return this.#change(path, request);
    return this.#read(path);
  }

  #list({ query }: FakeRequest): FakeReply {
    const wanted = (query.get("query") ?? "").toLowerCase();
    const found = this.envelopes.filter(({ made, recipients }) =>
      [made.title, made.externalId, ...recipients.map(({ email }) => email)]
        .map((text) => (text ?? "").toLowerCase())
        .some((text) => text.includes(wanted)),
    );
    const newestFirst = query.get("orderByDirection") !== "asc";
    const sorted = newestFirst ? found.toReversed() : found;
    const perPage = Number(query.get("perPage") ?? 10);
    if (!(perPage >= 1 && perPage <= 100))
      return rejection(400, "BAD_REQUEST", "perPage is not 1 to 100");
    const data = sorted.slice(0, perPage).map(view);
    const pages = { currentPage: 1, perPage, totalPages: 1 };
    return { body: { data, count: found.length, ...pages } };
  }

  async #create(request: FakeRequest): Promise<FakeReply> {
    const sent = await readBody(request).catch(() => null);
    const form = sent instanceof FormData ? sent : new FormData();
    const payload = parsed(form.get("payload"));
    const file = form.get("files");
    const fault = this.schemas.findViolation(
      newEnvelope,
      payload,
      "envelope/create",
    );
    if (fault !== null) return rejection(400, "BAD_REQUEST", fault);
    if (!(file instanceof File) || !file.name.endsWith(".pdf"))
      return rejection(400, "INVALID_BODY", "No PDF was sent");
    const pdf = new Uint8Array(await file.arrayBuffer());
    const made = creation.parse(payload);
    const firstId = this.all.length * 100 + 1;
    const now = () => this.server.clock.now;
    const envelope = new FakeEnvelope(made, pdf, firstId, now);
    this.all.push(envelope);
    return { body: { id: envelope.id } };
  }

  #change(path: string, { bytes }: FakeRequest): FakeReply {
    const sent = parsed(bytes);
    const schema = {
      "envelope/distribute": distribution,
      "envelope/redistribute": redistribution,
      "envelope/cancel": cancellation,
      "envelope/delete": deletion,
    }[path];
    if (!schema) return rejection(404, "NOT_FOUND", "Not found");
    const fault = this.schemas.findViolation(schema, sent, path);
    if (fault !== null) return rejection(400, "BAD_REQUEST", fault);
    const { envelopeId } = envelopeReference.parse(sent);
    const envelope = this.envelopes.find(({ id }) => id === envelopeId);
    if (!envelope) return rejection(404, "NOT_FOUND", "Document not found");
    if (path === "envelope/distribute") return distribute(envelope);
    if (path === "envelope/delete") envelope.isDeleted = true;
    else if (envelope.status !== "PENDING")
      return path === "envelope/cancel"
        ? rejection(
            400,
            "INVALID_REQUEST",
            "Only pending documents can be cancelled",
          )
        : failure(`Can not send ${envelope.status} document`);
    if (path === "envelope/cancel") envelope.status = "CANCELLED";
    if (path === "envelope/redistribute")
      envelope.remind(reminded.parse(sent).recipients);
    return { body: { success: true } };
  }

  async #read(path: string): Promise<FakeReply> {
    const [, id = "", ...rest] = path.split("/");
    const part = rest.join("/");
    const found = this.envelopes.find((one) =>
      id === "item" ? part.startsWith(`${one.itemId}/`) : one.id === id,
    );
    if (!found) return rejection(404, "NOT_FOUND", "Document not found");
    if (id === "item") return pdfReply(await getSigned(found));
    if (part === "") return { body: view(found) };
    if (part === this.auditLogPath) return pdfReply(await getAudit(found));
    return rejection(404, "NOT_FOUND", "Not found");
  }
}

function distribute(envelope: FakeEnvelope): FakeReply {
  if (envelope.made.recipients.length === 0)
    return failure("Document has no recipients");
  if (!["DRAFT", "PENDING"].includes(envelope.status))
    return failure("Can not send completed document");
  const lacks = envelope.made.recipients.some(
    ({ fields }) => !fields.some(({ type }) => type === "SIGNATURE"),
  );
  if (lacks)
    return rejection(
      400,
      "MISSING_SIGNATURE_FIELD",
      "A signer has no signature field",
    );
  if (envelope.status === "DRAFT") envelope.distribute();
  return { body: { success: true, id: envelope.id } };
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

function rejection(status: number, code: string, message: string): FakeReply {
  return { status, body: { message, code } };
}

/** What Documenso throws without a code. */
function failure(message: string): FakeReply {
  return rejection(500, "INTERNAL_SERVER_ERROR", message);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

function getSigned({ made, recipients, pdf }: FakeEnvelope) {
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
  return fillPdf(pdf, marks);
}

function getAudit({ id, recipients }: FakeEnvelope) {
  const lines = recipients.map(
    ({ email, signedAt }) => `${email} ${signedAt?.toISOString() ?? ""}`,
  );
  return createTextPdf([`Audit log of ${id}`, ...lines]);
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
      enum: listWords(`
        SIGNATURE INITIALS NAME EMAIL DATE TEXT NUMBER CHECKBOX RADIO DROPDOWN
      `),
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

const creation = z.object({
  title: z.string(),
  externalId: z.string().nullable().default(null),
  recipients: z
    .array(
      z.object({
        email: z.string(),
        name: z.string(),
        role: z.string(),
        signingOrder: z.number().default(1),
        fields: z
          .array(
            z.object({
              type: z.string(),
              page: z.number(),
              positionX: z.number(),
              positionY: z.number(),
              width: z.number(),
              height: z.number(),
              fieldMeta: z.looseObject({}).optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  meta: z
    .object({
      subject: z.string().optional(),
      message: z.string().optional(),
      distributionMethod: z.enum(["EMAIL", "NONE"]).default("EMAIL"),
      signingOrder: z.enum(["PARALLEL", "SEQUENTIAL"]).default("PARALLEL"),
      redirectUrl: z.httpUrl().optional(),
      envelopeExpirationPeriod: z
        .object({ unit: z.string(), amount: z.number() })
        .optional(),
    })
    .prefault({}),
});
type Creation = z.infer<typeof creation>;

interface FakeRecipient {
  id: number;
  token: string;
  email: string;
  name: string;
  signingOrder: number;
  sendStatus: "NOT_SENT" | "SENT";
  readStatus: "NOT_OPENED" | "OPENED";
  signingStatus: "NOT_SIGNED" | "SIGNED" | "REJECTED";
  rejectionReason: string | null;
  signedAt: Date | null;
  expiresAt: Date | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** An envelope from its draft to its end. In sequence, only one may sign at a time, even of those with equal order. */
class FakeEnvelope {
  readonly id = `envelope_${randomBytes(8).toString("hex")}`;
  readonly itemId = `envelope_item_${randomBytes(8).toString("hex")}`;
  readonly recipients: FakeRecipient[];
  readonly mails: { to: string; kind: "request" | "reminder" }[] = [];
  status: "DRAFT" | "PENDING" | "COMPLETED" | "REJECTED" | "CANCELLED" =
    "DRAFT";
  isDeleted = false;
  readonly #now: () => Date;

  constructor(
    readonly made: Creation,
    readonly pdf: Uint8Array,
    firstId: number,
    now: () => Date,
  ) {
    this.#now = now;
    this.recipients = made.recipients.map((one, place) => ({
      id: firstId + place,
      token: randomBytes(12).toString("base64url"),
      email: one.email,
      name: one.name,
      signingOrder: one.signingOrder,
      sendStatus: "NOT_SENT",
      readStatus: "NOT_OPENED",
      signingStatus: "NOT_SIGNED",
      rejectionReason: null,
      signedAt: null,
      expiresAt: null,
    }));
  }

  distribute(): void {
    this.status = "PENDING";
    const { envelopeExpirationPeriod: period } = this.made.meta;
    for (const one of this.recipients)
      one.expiresAt = period
        ? new Date(this.#now().getTime() + period.amount * dayMs)
        : null;
    this.#requestSignatures();
  }

  open(place: number): void {
    this.#getDueRecipient(place).readStatus = "OPENED";
  }

  sign(place: number): void {
    const one = this.#getDueRecipient(place);
    Object.assign(one, {
      readStatus: "OPENED",
      signingStatus: "SIGNED",
      signedAt: this.#now(),
    });
    if (this.recipients.every((all) => all.signingStatus === "SIGNED"))
      this.status = "COMPLETED";
    else this.#requestSignatures();
  }

  reject(place: number, reason: string): void {
    const one = this.#getDueRecipient(place);
    Object.assign(one, { signingStatus: "REJECTED", rejectionReason: reason });
    this.status = "REJECTED";
  }

  remind(ids: readonly number[]): void {
    for (const { id, email: to } of this.recipients)
      if (ids.includes(id)) this.mails.push({ to, kind: "reminder" });
  }

  #getDueRecipient(place: number): FakeRecipient {
    const one = this.recipients[place];
    const isOver = one?.expiresAt && one.expiresAt <= this.#now();
    const isDue = one?.sendStatus === "SENT" && !one.signedAt && !isOver;
    if (one && isDue && this.status === "PENDING") return one;
    throw new Error(`recipient ${place} cannot sign now`);
  }

  #requestSignatures(): void {
    const open = this.recipients
      .filter(({ signingStatus }) => signingStatus === "NOT_SIGNED")
      .toSorted((a, b) => a.signingOrder - b.signingOrder || a.id - b.id);
    const isOneByOne = this.made.meta.signingOrder === "SEQUENTIAL";
    for (const one of isOneByOne ? open.slice(0, 1) : open) {
      if (one.sendStatus === "SENT") continue;
      one.sendStatus = "SENT";
      if (this.made.meta.distributionMethod === "EMAIL")
        this.mails.push({ to: one.email, kind: "request" });
    }
  }
}
