import {
  type EsignProvider,
  PlatformError,
  PLUGIN_API,
  type RequestState,
  type SignedFile,
  type SignRequest,
} from "../../core/plugin-api/index.js";

type Call = "start" | "find" | "status" | "download" | "cancel" | "resend";

interface Submission {
  externalId: string;
  request: SignRequest;
  status: RequestState["status"];
  reason: string | undefined;
}

/** An e-signature provider that lives in a test: its submissions, and what was asked of it. */
export class MemoryEsign {
  readonly submissions: Submission[] = [];
  readonly calls: Call[] = [];
  /** Called before each call has an effect; what it throws, the call throws. */
  refuse: (call: Call) => void = () => undefined;
  /** What a call waits for after it had its effect. */
  stall: (call: Call) => Promise<void> = async () => undefined;
  /** Called after it had its effect, before it is answered. */
  loseAnswer: (call: Call) => void = () => undefined;
  /** Whether `find` shows a submission yet. */
  isShown: (submission: Submission) => boolean = () => true;
  files: SignedFile[] = [
    file("signed", "application/pdf", "%PDF-signed"),
    file("audit", "application/pdf", "%PDF-audit"),
  ];

  #last = 0;

  of(requestId: string): Submission[] {
    return this.submissions.filter(
      ({ request }) => request.requestId === requestId,
    );
  }

  /** As the signers or the provider end it. */
  end(
    requestId: string,
    status: RequestState["status"],
    reason?: string,
  ): void {
    for (const one of this.of(requestId))
      Object.assign(one, { status, reason });
  }

  /** As if it had been deleted there. */
  forget(requestId: string): void {
    for (const one of this.of(requestId))
      this.submissions.splice(this.submissions.indexOf(one), 1);
  }

  reset(): void {
    this.refuse = () => undefined;
    this.loseAnswer = () => undefined;
    this.isShown = () => true;
    this.stall = async () => undefined;
  }

  start(request: SignRequest) {
    return this.#call("start", () => {
      this.#last += 1;
      const externalId = `sub-${this.#last}`;
      const status = "pending" as const;
      const made = { externalId, request, status, reason: undefined };
      this.submissions.push(made);
      return started(made);
    });
  }

  find(requestId: string) {
    return this.#call("find", () => {
      const found = this.of(requestId).find((one) => this.isShown(one));
      return found ? started(found) : null;
    });
  }

  status(externalId: string): Promise<RequestState> {
    return this.#call("status", () => {
      const one = this.#one(externalId);
      return { ...started(one), status: one.status };
    });
  }

  download() {
    return this.#call("download", () => this.files);
  }

  cancel(externalId: string) {
    return this.#call("cancel", () => {
      this.#one(externalId).status = "canceled";
    });
  }

  resend() {
    return this.#call("resend", () => undefined);
  }

  #one(externalId: string): Submission {
    const one = this.submissions.find((each) => each.externalId === externalId);
    if (one) return one;
    throw new PlatformError("not_found", "There is no such submission.");
  }

  async #call<T>(call: Call, act: () => T): Promise<T> {
    this.calls.push(call);
    this.refuse(call);
    const result = act();
    await this.stall(call);
    this.loseAnswer(call);
    return result;
  }
}

/** What the submission tells of each of its signers. */
function started({ externalId, request, status, reason }: Submission) {
  return {
    externalId,
    signers: request.submitters.map(({ role }) => ({
      role,
      url: `https://sign.test/${externalId}/${role}`,
      status:
        status === "completed" || status === "declined"
          ? status
          : ("sent" as const),
      ...(status === "declined" && reason !== undefined && { reason }),
    })),
  };
}

function file(
  label: SignedFile["label"],
  mimeType: string,
  text: string,
): SignedFile {
  return { label, mimeType, bytes: Buffer.from(text) };
}

/** Its notices are JSON with a shared secret in a header. */
export function memoryEsignPlugin(
  memory: MemoryEsign,
  capabilities: Partial<EsignProvider["capabilities"]> = {},
): EsignProvider {
  return {
    meta: {
      kind: "esign",
      id: "memory-esign",
      title: "Memory",
      version: "0.0.0",
      api: PLUGIN_API,
      platen: "*",
    },
    credentials: { schema: { type: "object" } },
    capabilities: {
      order: true,
      values: true,
      expiry: "instant",
      message: true,
      cancel: true,
      resend: true,
      noticeProof: "secret",
      fields: ["signature", "text"],
      maxFileBytes: 1_000_000,
      ...capabilities,
    },
    rate: { key: () => "memory", maxInFlight: 50 },
    check: async () => ({}),
    start: (_context, request) => memory.start(request),
    find: (_context, requestId) => memory.find(requestId),
    status: (_context, externalId) => memory.status(externalId),
    download: () => memory.download(),
    cancel: (_context, externalId) => memory.cancel(externalId),
    resend: () => memory.resend(),
    parseNotice: (_credentials, { body, headers }) => {
      if (headers["x-secret"] !== "right") return null;
      const told: unknown = JSON.parse(Buffer.from(body).toString());
      const externalId: unknown = Reflect.get(Object(told), "externalId");
      return typeof externalId === "string" ? { externalId } : null;
    },
  };
}
