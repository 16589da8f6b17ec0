import { randomBytes, createHmac } from "node:crypto";
import { z } from "zod";
import { readPdf, type PdfPage } from "../read-pdf.js";
import { listWords } from "../rows.js";
import {
  ProviderServer,
  StrictSchemas,
  strictObject,
  fillPdf,
  createTextPdf,
  pdfReply,
} from "./esign-provider-server.js";
import { type FakeReply, type FakeRequest, useServer } from "./fake-server.js";
import {
  creation,
  FakeSubmission,
  type FakeSubmitter,
  type Creation,
  type FakeField,
} from "./fake-docuseal-submission.js";

// DocuSeal on the loopback interface, by www.docuseal.com/docs/api, the types of @docuseal/api 1.0.25 and its source
// (github.com/docusealco/docuseal). It refuses what DocuSeal refuses:
// - an unknown API key: 401; a key that may not do it: 403; what does not exist: 404
// - `POST /submissions/pdf` in the free edition: 404 (app/controllers/errors_controller.rb)
// - bodies with a wrong value (422), and, stricter than DocuSeal, which ignores them, properties that it does not have
// - files that are no PDF, fields for a role without a submitter or on a page that is not there, values for unknown fields
// - reminding those who have completed it (app/controllers/api/submitters_controller.rb); signing before one's turn, twice, or
//   after the end
// - links to files that are older than 40 minutes (app/controllers/submissions_preview_download_controller.rb); its webhook's events come signed, and without ids but those of DocuSeal

const linkMs = 40 * 60_000;

interface LiveFile {
  bytes: () => Promise<Uint8Array>;
  until: number;
}

export class FakeDocuseal {
  readonly apiKey = randomBytes(16).toString("hex");
  readonly schemas = new StrictSchemas();
  readonly submissions: FakeSubmission[] = [];
  readonly webhook = new DocusealWebhook(() => this.server.clock.now);
  /** The free one has no `POST /submissions/pdf`. */
  edition: "pro" | "free" = "pro";
  /** Files may lie in a storage elsewhere, to which their links then lead. */
  hasStorage = false;
  /** Whether the key may do what it asks. */
  isForbidden = false;
  readonly server = new ProviderServer((request) => this.#handle(request));
  readonly #files = new Map<string, LiveFile>();

  static async start(): Promise<FakeDocuseal> {
    const fake = new FakeDocuseal();
    await fake.server.listen();
    return fake;
  }

  /** Of the server; the API is below `/api`. */
  get url(): string {
    return this.server.url;
  }

  get violations(): readonly string[] {
    return this.schemas.violations;
  }

  get credentials() {
    const { url, apiKey, webhook } = this;
    return { url, apiKey, webhookSecret: webhook.secret };
  }

  submission(id: string | number): FakeSubmission {
    const found = this.submissions.find((one) => String(one.id) === String(id));
    if (found) return found;
    throw new Error(`there is no submission ${id}`);
  }

  /** A signer looks at the document; the webhook is options, as it is of what follows. */
  async open(id: string | number, role: string): Promise<void> {
    const submission = this.submission(id);
    await this.#sendFormEvent("form.viewed", submission.open(role), submission);
  }

  async complete(
    id: string | number,
    role: string,
    values: Record<string, unknown> = {},
  ): Promise<void> {
    const submission = this.submission(id);
    const submitter = submission.complete(role, values);
    await this.#sendFormEvent("form.completed", submitter, submission);
    if (submission.status === "completed")
      await this.#sendSubmissionEvent("submission.completed", submission);
  }

  async decline(id: string | number, role: string, reason = ""): Promise<void> {
    const submission = this.submission(id);
    const submitter = submission.decline(role, reason);
    await this.#sendFormEvent("form.declined", submitter, submission);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  #sendFormEvent(type: string, one: FakeSubmitter, submission: FakeSubmission) {
    return this.webhook.sendEvent(type, formView(one, submission));
  }

  #sendSubmissionEvent(type: string, submission: FakeSubmission) {
    return this.webhook.sendEvent(type, submissionView(submission, null));
  }

  async #handle(request: FakeRequest): Promise<FakeReply> {
    const [first, ...path] = request.path.slice(1).split("/");
    if (first === "file" && this.hasStorage)
      return {
        status: 302,
        body: null,
        headers: { location: `/storage/${path[0]}` },
      };
    if (first === "file" || first === "storage")
      return this.#file(path[0] ?? "");
    if (request.headers["x-auth-token"] !== this.apiKey)
      return { status: 401, body: { error: "Not authenticated" } };
    if (this.isForbidden)
      return { status: 403, body: { error: "You are not authorized" } };
    const [resource, id, part] = path;
    const call = `${request.method} ${[resource, id && ":id", part].filter(Boolean).join("/")}`;
    if (call === "GET submissions") return this.#list();
    if (request.method === "POST" && path.join("/") === "submissions/pdf")
      return this.#create(request);
    if (call === "GET submitters") return this.#find(request);
    if (call === "PUT submitters/:id") return this.#remind(id ?? "", request);
    const submission = this.submissions.find((one) => String(one.id) === id);
    if (!submission) return { status: 404, body: { error: "Not found" } };
    if (call === "GET submissions/:id") return { body: this.#show(submission) };
    if (call === "DELETE submissions/:id") return this.#archive(submission);
    if (call === "GET submissions/:id/documents")
      return this.#documents(submission);
    return { status: 404, body: { error: "Not found" } };
  }

  #list(): FakeReply {
    const data = this.submissions.map((one) => this.#show(one));
    return { body: { data, pagination: { count: data.length } } };
  }

  async #create({ bytes }: FakeRequest): Promise<FakeReply> {
    if (this.edition === "free")
      return {
        status: 404,
        body: {
          status: 404,
          message: "This feature is available in Pro Edition",
        },
      };
    const sent = parseJson(bytes);
    const what = "POST /submissions/pdf";
    const fault = this.schemas.findViolation(newSubmission, sent, what);
    if (fault !== null) return { status: 422, body: { error: fault } };
    const made = creation.parse(sent);
    const pages = await readPages(made);
    if (pages === null)
      return { status: 422, body: { error: "The file is no PDF" } };
    const problem = findProblem(made, pages.length);
    if (problem !== null) return { status: 422, body: { error: problem } };
    const now = () => this.server.clock.now;
    const tags = tagFieldsIn(pages);
    const id = this.submissions.length + 1001;
    const submission = new FakeSubmission(id, made, tags, now);
    this.submissions.push(submission);
    return { body: this.#show(submission) };
  }

  #find({ query }: FakeRequest): FakeReply {
    const wanted = query.get("external_id");
    const found = this.submissions.flatMap((submission) =>
      submission.submitters
        .filter(({ externalId }) => wanted === null || externalId === wanted)
        .map((one) => submitterView(one, submission)),
    );
    const limit = Number(query.get("limit") ?? 10);
    const data = found.toReversed().slice(0, limit);
    return { body: { data, pagination: { count: data.length } } };
  }

  #remind(id: string, { bytes }: FakeRequest): FakeReply {
    const sent = parseJson(bytes);
    const fault = this.schemas.findViolation(
      submitterChange,
      sent,
      "PUT /submitters",
    );
    if (fault !== null) return { status: 422, body: { error: fault } };
    for (const submission of this.submissions)
      for (const one of submission.submitters)
        if (String(one.id) === id) {
          if (one.completedAt)
            return {
              status: 422,
              body: {
                error: "Submitter has already completed the submission.",
              },
            };
          if (z.object({ send_email: z.literal(true) }).safeParse(sent).success)
            submission.remind(one);
          return { body: submitterView(one, submission) };
        }
    return { status: 404, body: { error: "Not found" } };
  }

  #archive(submission: FakeSubmission): FakeReply {
    submission.archivedAt ??= this.server.clock.now;
    const { id, archivedAt } = submission;
    return { body: { id, archived_at: archivedAt.toISOString() } };
  }

  #show(submission: FakeSubmission) {
    const audit =
      submission.status === "completed"
        ? this.#link("audit.pdf", () => renderAudit(submission))
        : null;
    return submissionView(submission, audit);
  }

  #documents(submission: FakeSubmission): FakeReply {
    const [first] = submission.made.documents;
    const { name = "Document" } = first ?? {};
    const url = this.#link(`${name}.pdf`, () => renderSigned(submission));
    const documents = [{ name, url }];
    return { body: { id: submission.id, documents } };
  }

  /** Lives for forty minutes. */
  #link(name: string, bytes: LiveFile["bytes"]): string {
    const token = randomBytes(12).toString("base64url");
    const until = this.server.clock.now.getTime() + linkMs;
    this.#files.set(token, { bytes, until });
    return `${this.url}/file/${token}/${encodeURIComponent(name)}`;
  }

  async #file(token: string): Promise<FakeReply> {
    const file = this.#files.get(token);
    const isLive = file && file.until > this.server.clock.now.getTime();
    return isLive
      ? pdfReply(await file.bytes())
      : { status: 404, body: { error: "Not found" } };
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** The PDF with what its signers have filled in. */
function renderSigned({ made, submitters, fields }: FakeSubmission) {
  const [first] = made.documents;
  const bytes = Buffer.from(first?.file ?? "", "base64");
  const marks = fields.flatMap(({ name, role, type, areas }) => {
    const by = submitters.find((one) => one.role === role);
    const value = by?.values[name];
    const signed = type === "signature" ? `Signed by ${by?.email}` : "";
    const text = typeof value === "string" ? value : signed;
    return areas.map((area) => ({ ...area, text }));
  });
  return fillPdf(bytes, marks);
}

function renderAudit({ made, id, submitters }: FakeSubmission) {
  const lines = submitters.map(
    ({ email, role, completedAt }) =>
      `${role} ${email} ${completedAt?.toISOString() ?? ""}`,
  );
  return createTextPdf([`Audit log of ${made.name} (${id})`, ...lines]);
}

/** The pages of the PDF that is to be signed; null when it is none. */
async function readPages({ documents: [first] }: Creation) {
  const bytes = Buffer.from(first?.file ?? "", "base64");
  return readPdf(bytes).catch(() => null);
}

/** What DocuSeal says of a request that is well formed. */
function findProblem(made: Creation, pages: number): string | null {
  const fields = made.documents.flatMap((document) => document.fields);
  const roles = new Set(made.submitters.map(({ role }) => role));
  for (const { role, name, areas } of fields) {
    if (!roles.has(role)) return `Unknown submitter role: ${role}`;
    if (areas.some(({ page }) => page > pages)) return `No page for ${name}`;
  }
  for (const { role, values } of made.submitters)
    for (const name of Object.keys(values))
      if (!fields.some((field) => field.name === name && field.role === role))
        return `Unknown field: ${name}`;
  return null;
}

const toIso = (at: Date | null) => at?.toISOString() ?? null;

/** `SubmissionSubmitter` of the API. */
function submitterView(
  one: FakeSubmitter,
  { id: submissionId }: FakeSubmission,
) {
  return {
    id: one.id,
    submission_id: submissionId,
    uuid: one.uuid,
    email: one.email,
    slug: one.slug,
    sent_at: toIso(one.sentAt),
    opened_at: toIso(one.openedAt),
    completed_at: toIso(one.completedAt),
    declined_at: toIso(one.declinedAt),
    name: one.name,
    phone: null,
    external_id: one.externalId,
    status: getStatus(one),
    values: Object.entries(one.values).map(([field, value]) => ({
      field,
      value,
    })),
    documents: [],
    role: one.role,
    metadata: {},
    preferences: {},
  };
}

/** `Submission` of the API. */
function submissionView(submission: FakeSubmission, auditUrl: string | null) {
  return {
    id: submission.id,
    name: submission.made.name,
    slug: submission.slug,
    source: "api",
    submitters_order: submission.made.order,
    audit_log_url: auditUrl,
    combined_document_url: null,
    archived_at: toIso(submission.archivedAt),
    expire_at: toIso(submission.expiresAt),
    variables: {},
    submitters: submission.submitters.map((one) =>
      submitterView(one, submission),
    ),
    submission_events: submission.events,
    documents: [],
    status: submission.status,
    completed_at: toIso(submission.completedAt),
  };
}

/** `data` of a `form.*` event. */
function formView(one: FakeSubmitter, submission: FakeSubmission) {
  return {
    ...submitterView(one, submission),
    decline_reason: one.reason,
    ip: "203.0.113.7",
    ua: "A browser",
    audit_log_url: null,
    submission: {
      id: submission.id,
      audit_log_url: null,
      combined_document_url: null,
      status: submission.status,
    },
  };
}

function getStatus(one: FakeSubmitter): string {
  if (one.declinedAt) return "declined";
  if (one.completedAt) return "completed";
  if (one.openedAt) return "opened";
  return one.sentAt ? "sent" : "awaiting";
}

const tag = /\{\{([^{}]+)\}\}/g;

/** Fields that DocuSeal finds in a PDF's own text: `{{Name;type=signature;role=Buyer}}`. */
function tagFieldsIn(pages: readonly PdfPage[]): FakeField[] {
  return pages.flatMap(({ text }, place) =>
    [...text.matchAll(tag)].map(([, inner = ""]) => {
      const [name = "", ...settings] = inner.split(";");
      const options = new Map(
        settings.map((one) => {
          const [key = "", value = ""] = one.split("=");
          return [key.trim(), value.trim()];
        }),
      );
      return {
        name: name.trim(),
        type: options.get("type") ?? "text",
        role: options.get("role") ?? "First Party",
        required: true,
        areas: [{ x: 0, y: 0, w: 0.1, h: 0.02, page: place + 1 }],
      };
    }),
  );
}

/** DocuSeal's webhook: signed by its scheme, only form.* unless it is options otherwise, without ids. */
class DocusealWebhook {
  readonly secret = `whsec_${randomBytes(24).toString("base64url")}`;
  /** Where events go; nowhere when null. */
  url: string | null = null;
  /** Which events are subscribed to. */
  events = /^form\./;

  constructor(private readonly now: () => Date) {}

  /** As DocuSeal signs it now, with this or another secret. */
  createHeaders(
    body: string,
    {
      secret = this.secret,
      at = this.now(),
    }: { secret?: string; at?: Date } = {},
  ): Record<string, string> {
    const seconds = Math.floor(at.getTime() / 1000);
    const hmac = createHmac("sha256", secret).update(`${seconds}.${body}`);
    return {
      "content-type": "application/json",
      "x-docuseal-signature": `${seconds}.${hmac.digest("hex")}`,
    };
  }

  async sendEvent(type: string, data: object): Promise<void> {
    if (this.url === null || !this.events.test(type)) return;
    const timestamp = this.now().toISOString();
    const body = JSON.stringify({ event_type: type, timestamp, data });
    const headers = this.createHeaders(body);
    await fetch(this.url, { method: "POST", body, headers });
  }
}

// What DocuSeal's API takes, closed: https://www.docuseal.com/docs/api and the types of @docuseal/api 1.0.25.

const text = { type: "string", minLength: 1 };
const part = { type: "number", minimum: 0, maximum: 1 };

const area = strictObject(
  { x: part, y: part, w: part, h: part, page: { type: "integer", minimum: 1 } },
  { option: text },
);

const field = strictObject(
  {
    name: text,
    type: {
      enum: listWords(`
        heading text signature initials date number image checkbox multiple file radio select cells stamp payment
        phone verification kba strikethrough
      `),
    },
    role: text,
    areas: { type: "array", items: area, minItems: 1 },
  },
  {
    required: { type: "boolean" },
    title: text,
    description: text,
    options: { type: "array", items: text },
  },
);

const document = strictObject(
  { name: text, file: { type: "string", pattern: "^[A-Za-z0-9+/]+=*$" } },
  {
    fields: { type: "array", items: field },
    position: { type: "integer", minimum: 0 },
  },
);

const message = strictObject({}, { subject: text, body: text });

const submitter = strictObject(
  { role: text, email: { type: "string", format: "email" } },
  {
    name: text,
    phone: text,
    values: { type: "object" },
    external_id: text,
    completed: { type: "boolean" },
    metadata: { type: "object" },
    send_email: { type: "boolean" },
    send_sms: { type: "boolean" },
    reply_to: text,
    completed_redirect_url: text,
    order: { type: "integer", minimum: 0 },
    message,
  },
);

/** `POST /submissions/pdf` */
const newSubmission = strictObject(
  {
    documents: { type: "array", items: document, minItems: 1 },
    submitters: { type: "array", items: submitter, minItems: 1 },
  },
  {
    name: text,
    send_email: { type: "boolean" },
    send_sms: { type: "boolean" },
    order: { enum: ["preserved", "random"] },
    completed_redirect_url: text,
    bcc_completed: text,
    reply_to: text,
    expire_at: {
      type: "string",
      pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$`,
    },
    message,
    flatten: { type: "boolean" },
    merge_documents: { type: "boolean" },
    remove_tags: { type: "boolean" },
  },
);

/** `PUT /submitters/:id`, as far as it is used. */
const submitterChange = strictObject(
  {},
  {
    name: text,
    email: text,
    values: { type: "object" },
    external_id: text,
    send_email: { type: "boolean" },
    message,
  },
);

/** DocuSeal while the suite runs. */
export function useFakeDocuseal(): FakeDocuseal {
  const fake = new FakeDocuseal();
  useServer(fake.server);
  return fake;
}
