import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  type Answer,
  type Asked,
  ProviderServer,
} from "../esign/provider-server.js";
import { StrictSchemas } from "../esign/strict-schemas.js";
import { auditOf, signedOf } from "./docuseal-papers.js";
import { pagesOf, problemOf } from "./docuseal-rules.js";
import { newSubmission, submitterChange } from "./docuseal-schemas.js";
import { DocusealWebhook } from "./docuseal-webhook.js";
import { formView, submissionView, submitterView } from "./docuseal-views.js";
import {
  creation,
  FakeSubmission,
  type FakeSubmitter,
} from "./fake-submission.js";
import { tagFieldsIn } from "./text-tags.js";

const linkMs = 40 * 60_000;

interface LiveFile {
  bytes: () => Promise<Uint8Array>;
  until: number;
}

/** DocuSeal as its API, its source and its users tell of it, on the loopback interface. */
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
  readonly server = new ProviderServer((asked) => this.#answer(asked));
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

  /** A signer looks at the document; the webhook is told, as it is of what follows. */
  async open(id: string | number, role: string): Promise<void> {
    const submission = this.submission(id);
    await this.#tell("form.viewed", submission.open(role), submission);
  }

  async complete(
    id: string | number,
    role: string,
    values: Record<string, unknown> = {},
  ): Promise<void> {
    const submission = this.submission(id);
    const submitter = submission.complete(role, values);
    await this.#tell("form.completed", submitter, submission);
    if (submission.status === "completed")
      await this.#tellOf("submission.completed", submission);
  }

  async decline(id: string | number, role: string, reason = ""): Promise<void> {
    const submission = this.submission(id);
    const submitter = submission.decline(role, reason);
    await this.#tell("form.declined", submitter, submission);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  #tell(type: string, one: FakeSubmitter, submission: FakeSubmission) {
    return this.webhook.tell(type, formView(one, submission));
  }

  #tellOf(type: string, submission: FakeSubmission) {
    return this.webhook.tell(type, submissionView(submission, null));
  }

  async #answer(asked: Asked): Promise<Answer> {
    const [first, ...path] = asked.path.slice(1).split("/");
    if (first === "file" && this.hasStorage)
      return {
        status: 302,
        body: null,
        headers: { location: `/storage/${path[0]}` },
      };
    if (first === "file" || first === "storage")
      return this.#file(path[0] ?? "");
    if (asked.headers["x-auth-token"] !== this.apiKey)
      return { status: 401, body: { error: "Not authenticated" } };
    if (this.isForbidden)
      return { status: 403, body: { error: "You are not authorized" } };
    const [resource, id, part] = path;
    const call = `${asked.method} ${[resource, id && ":id", part].filter(Boolean).join("/")}`;
    if (call === "GET submissions") return this.#list();
    if (asked.method === "POST" && path.join("/") === "submissions/pdf")
      return this.#create(asked);
    if (call === "GET submitters") return this.#find(asked);
    if (call === "PUT submitters/:id") return this.#remind(id ?? "", asked);
    const submission = this.submissions.find((one) => String(one.id) === id);
    if (!submission) return { status: 404, body: { error: "Not found" } };
    if (call === "GET submissions/:id")
      return { status: 200, body: this.#show(submission) };
    if (call === "DELETE submissions/:id") return this.#archive(submission);
    if (call === "GET submissions/:id/documents")
      return this.#documents(submission);
    return { status: 404, body: { error: "Not found" } };
  }

  #list(): Answer {
    const data = this.submissions.map((one) => this.#show(one));
    return { status: 200, body: { data, pagination: { count: data.length } } };
  }

  async #create({ body }: Asked): Promise<Answer> {
    if (this.edition === "free")
      return {
        status: 404,
        body: { status: 404, message: "This is available in the Pro Edition" },
      };
    const sent = parsed(body);
    const what = "POST /submissions/pdf";
    const fault = this.schemas.refuse(newSubmission, sent, what);
    if (fault !== null) return { status: 422, body: { error: fault } };
    const made = creation.parse(sent);
    const pages = await pagesOf(made);
    if (pages === null)
      return { status: 422, body: { error: "The file is no PDF" } };
    const problem = problemOf(made, pages.length);
    if (problem !== null) return { status: 422, body: { error: problem } };
    const now = () => this.server.clock.now;
    const tags = tagFieldsIn(pages);
    const id = this.submissions.length + 1001;
    const submission = new FakeSubmission(id, made, tags, now);
    this.submissions.push(submission);
    return { status: 200, body: this.#show(submission) };
  }

  #find({ query }: Asked): Answer {
    const wanted = query.get("external_id");
    const found = this.submissions.flatMap((submission) =>
      submission.submitters
        .filter(({ externalId }) => wanted === null || externalId === wanted)
        .map((one) => submitterView(one, submission)),
    );
    const limit = Number(query.get("limit") ?? 10);
    const data = found.toReversed().slice(0, limit);
    return { status: 200, body: { data, pagination: { count: data.length } } };
  }

  #remind(id: string, { body }: Asked): Answer {
    const sent = parsed(body);
    const fault = this.schemas.refuse(submitterChange, sent, "PUT /submitters");
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
          return { status: 200, body: submitterView(one, submission) };
        }
    return { status: 404, body: { error: "Not found" } };
  }

  #archive(submission: FakeSubmission): Answer {
    submission.archivedAt ??= this.server.clock.now;
    const { id, archivedAt } = submission;
    return { status: 200, body: { id, archived_at: archivedAt.toISOString() } };
  }

  #show(submission: FakeSubmission) {
    const audit =
      submission.status === "completed"
        ? this.#link("audit.pdf", () => auditOf(submission))
        : null;
    return submissionView(submission, audit);
  }

  #documents(submission: FakeSubmission): Answer {
    const [first] = submission.made.documents;
    const { name = "Document" } = first ?? {};
    const url = this.#link(`${name}.pdf`, () => signedOf(submission));
    const documents = [{ name, url }];
    return { status: 200, body: { id: submission.id, documents } };
  }

  /** Lives for forty minutes. */
  #link(name: string, bytes: LiveFile["bytes"]): string {
    const token = randomBytes(12).toString("base64url");
    const until = this.server.clock.now.getTime() + linkMs;
    this.#files.set(token, { bytes, until });
    return `${this.url}/file/${token}/${encodeURIComponent(name)}`;
  }

  async #file(token: string): Promise<Answer> {
    const file = this.#files.get(token);
    const isLive = file && file.until > this.server.clock.now.getTime();
    return isLive
      ? { status: 200, body: await file.bytes() }
      : { status: 404, body: { error: "Not found" } };
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
