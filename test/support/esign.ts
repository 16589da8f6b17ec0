import { signatureSchema } from "../../core/signatures/index.js";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { z } from "zod";
import { type Config, parseConfig } from "../../config/index.js";
import {
  type EsignSettings,
  type MergedSigning,
  type SigningRequest,
  OutputStore,
  SIGNING,
} from "../../core/documents/index.js";
import {
  PluginCalls,
  RequestLimiters,
  ConnectedEsign,
  Plugins,
} from "../../core/integrations/host/index.js";
import { Outbound } from "../../core/lib/outbound/index.js";
import {
  type PlatformPlugin,
  type SignFieldType,
  type EsignProvider,
  PlatformError,
  PLUGIN_API,
  type RequestState,
  type SignedFile,
  type SignRequest,
} from "../../core/plugin-api/index.js";
import { newId, SignatureRequest } from "../../core/storage/database/index.js";
import { QUEUE } from "../../core/queue/index.js";
import { newCaller, type TestCaller, reader } from "./caller.js";
import type { EsignProcessOptions } from "./esign-process-main.js";
import { eventually } from "./eventually.js";
import { installedPlugins } from "./plugin-folder.js";
import { silentLog } from "./recording-log.js";
import { partArguments } from "./service-process.js";
import {
  exported,
  type TestServiceOptions,
  useService,
  type TestService,
} from "./service.js";
import { paginationSchema } from "../../core/lib/schemas.js";

/** Delays of a few milliseconds. */
export const fastSettings: Config["signatures"] = {
  ...parseConfig({}).signatures,
  retryDelaysMs: [5],
  findWaitsMs: [1, 1, 1],
  pollMs: [20, 40],
};

type Capabilities = Parameters<typeof memoryEsignPlugin>[1];

export function useEsign({
  capabilities,
  platforms = [],
  ...options
}: TestServiceOptions & {
  capabilities?: Capabilities;
  /** Installed beside the provider. */
  platforms?: readonly PlatformPlugin[];
} = {}): EsignHarness {
  const memory = new MemoryEsign();
  const service = useService({
    ...options,
    config: {
      signatures: fastSettings,
      queue: { serverUrl: null, pollMs: 20, leaseMs: 30_000 },
      ...options.config,
    },
    replace: (container) => {
      container.register(Plugins, {
        useValue: installedPlugins([
          memoryEsignPlugin(memory, capabilities),
          ...platforms,
        ]),
      });
      options.replace?.(container);
    },
  });
  const harness = new EsignHarness(service, memory);
  before(() => harness.open());
  afterEach(() => memory.reset());
  after(() => memory.reset());
  return harness;
}

export const readSignature = reader(signatureSchema);
export const readSignatures = reader(
  z.strictObject({
    data: z.array(signatureSchema),
    pagination: paginationSchema,
  }),
);

/** What a test changes of a document that is sent for signature. */
export interface SigningInput {
  options?: Partial<SigningRequest> & { esignSettings?: EsignSettings };
  merged?: Partial<MergedSigning>;
  expiresAt?: string;
  bytes?: Uint8Array;
}

export const field = (role = "Buyer", type: SignFieldType = "signature") => ({
  id: newId(),
  name: `${role}'s ${type}`,
  role,
  type,
  required: true,
});

export const buyer = { role: "Buyer", email: "buyer@example.com" };

/** The service with a provider in memory and an organization with a connection to it. */
export class EsignHarness {
  caller!: TestCaller;
  connectionId = "";
  templateId = "";

  constructor(
    readonly service: TestService,
    readonly memory: MemoryEsign,
    /** The fields of a connection to the provider. */
    private readonly access: () => {
      provider: string;
      credentials: object;
    } = () => ({ provider: "memory-esign", credentials: {} }),
  ) {}

  async open(): Promise<void> {
    this.caller = await newCaller(this.service);
    this.templateId = await this.caller.publish();
    this.connectionId = await this.connect(this.caller);
  }

  /** Saves a connection to the provider. */
  async connect(caller: TestCaller): Promise<string> {
    const response = await caller.post("/api/connections", {
      name: "Signing",
      ...this.access(),
    });
    return String(Reflect.get(Object(await response.json()), "id"));
  }

  /** Prepares a request and records it with a stored PDF, as the render pipeline does. @returns its id. */
  async send({
    options = {},
    merged = {},
    expiresAt,
    bytes,
  }: SigningInput = {}) {
    const order = await this.settle({ options, merged });
    return this.record(order, await this.newDocument(expiresAt), bytes);
  }

  async newDocument(expiresAt?: string) {
    const { document } = await exported(this.caller, {
      templateId: this.templateId,
      formats: ["html"],
      ...(expiresAt !== undefined && { expiresAt }),
    });
    return document;
  }

  /** Sends several requests at once. @returns their ids. */
  sendMany(count: number, one: SigningInput = {}): Promise<string[]> {
    return Promise.all(Array.from({ length: count }, () => this.send(one)));
  }

  async settle({
    options = {},
    merged = {},
  }: Omit<SigningInput, "expiresAt"> = {}) {
    const { organizationId, userId: createdById } = this.caller;
    const request = {
      organizationId,
      createdById,
      connection: null,
      ...options,
    };
    const signing = this.service.container.resolve(SIGNING);
    const plan = await signing.prepare(request, new Date());
    return plan.settle({
      submitters: [buyer],
      message: null,
      expiresInDays: null,
      redirectUrl: null,
      fields: [field()],
      ...merged,
    });
  }

  async record(
    order: Awaited<ReturnType<EsignHarness["settle"]>>,
    { id: documentId, expiresAt }: { id: string; expiresAt: string },
    bytes: Uint8Array = Buffer.from("%PDF-unsigned"),
  ): Promise<string> {
    const { container, store } = this.service;
    const fileName = "Contract";
    const [pdf] = await container
      .resolve(OutputStore)
      .save({ documentId, fileName, expiresAt: new Date(expiresAt) }, [
        {
          format: "pdf",
          label: "pdf",
          mimeType: "application/pdf",
          extension: "pdf",
          bytes: Buffer.from(bytes),
        },
      ]);
    if (!pdf) throw new Error("not stored");
    const boxes = [{ ...field(), page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }];
    const document = {
      documentId,
      title: "Contract",
      fileName,
      pdf,
      pages: 1,
      boxes,
    };
    const id = await store.unitOfWork.run((tx) => order.record(tx, document));
    container.resolve(SIGNING).nudge();
    return id;
  }

  async get(id: string) {
    return readSignature(await this.caller.get(`/api/signatures/${id}`));
  }

  /** Waits until the request has this status. */
  waitForStatus(id: string, status: string) {
    return this.waitUntil(id, (found) => found.status === status);
  }

  /** Waits until the request meets the condition. */
  waitUntil(
    id: string,
    matches: (request: z.output<typeof signatureSchema>) => boolean,
  ) {
    return eventually(async () => {
      const found = await this.get(id);
      return matches(found) && found;
    });
  }

  /** Cancels the request as soon as it is not being sent. */
  cancelWhenPossible(id: string) {
    return eventually(async () => {
      const path = `/api/signatures/${id}/cancel`;
      return (await this.caller.post(path, {})).status === 200;
    });
  }

  /** Makes the request look as if its last change was this long ago. */
  async ageBy(id: string, ms: number): Promise<void> {
    const updatedAt = new Date(Date.now() - ms);
    await this.service.store.unitOfWork.run((tx) =>
      tx.update(SignatureRequest, { id }, { updatedAt }),
    );
  }

  /** The number of signature jobs that are running or ready. */
  async readyJobs(): Promise<number> {
    const stats = await this.service.container.resolve(QUEUE).stats();
    const kind = stats.find((one) => one.kind === "signature");
    return (kind?.ready ?? 0) + (kind?.running ?? 0);
  }

  /** Waits until no signature job is running or ready, because a request changes before its job ends. */
  async idle(): Promise<void> {
    await eventually(async () => (await this.readyJobs()) === 0);
  }

  /** Sends a webhook as the provider does. */
  notice(body: object, secret = "right", connectionId = this.connectionId) {
    const path = `/api/esign/notices/${connectionId}`;
    return fetch(this.service.url + path, {
      method: "POST",
      headers: { "x-secret": secret, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
}

type Call = "start" | "find" | "status" | "download" | "cancel" | "resend";

interface Submission {
  externalId: string;
  request: SignRequest;
  status: RequestState["status"];
  reason: string | undefined;
}

/** An e-signature provider that lives in a test: its submissions, and what was options of it. */
export class MemoryEsign {
  readonly submissions: Submission[] = [];
  readonly calls: Call[] = [];
  /** Runs before each call has an effect; the call throws what it throws. */
  beforeCall: (call: Call) => void = () => undefined;
  /** What a call waits for after its effect. */
  delay: (call: Call) => Promise<void> = async () => undefined;
  /** Runs after the effect; the call throws what it throws, as if the response was lost. */
  beforeReply: (call: Call) => void = () => undefined;
  /** Whether `find` returns a submission yet. */
  isListed: (submission: Submission) => boolean = () => true;
  files: SignedFile[] = [
    file("signed", "application/pdf", "%PDF-signed"),
    file("audit", "application/pdf", "%PDF-audit"),
  ];

  #last = 0;

  findSubmissions(requestId: string): Submission[] {
    return this.submissions.filter(
      ({ request }) => request.requestId === requestId,
    );
  }

  /** Ends the request as its signers or the provider do. */
  end(
    requestId: string,
    status: RequestState["status"],
    reason?: string,
  ): void {
    for (const one of this.findSubmissions(requestId))
      Object.assign(one, { status, reason });
  }

  /** Deletes the request at the provider. */
  delete(requestId: string): void {
    for (const one of this.findSubmissions(requestId))
      this.submissions.splice(this.submissions.indexOf(one), 1);
  }

  reset(): void {
    this.beforeCall = () => undefined;
    this.beforeReply = () => undefined;
    this.isListed = () => true;
    this.delay = async () => undefined;
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
      const found = this.findSubmissions(requestId).find((one) =>
        this.isListed(one),
      );
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
    this.beforeCall(call);
    const result = act();
    await this.delay(call);
    this.beforeReply(call);
    return result;
  }
}

/** A submission with the state of each of its signers. */
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

/** A plugin whose webhooks are JSON with a shared secret in a header. */
function memoryEsignPlugin(
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
      const notice: unknown = JSON.parse(Buffer.from(body).toString());
      const externalId: unknown = Reflect.get(Object(notice), "externalId");
      return typeof externalId === "string" ? { externalId } : null;
    },
  };
}

/** A provider with credentials, called as the host calls it. */
export function connectedEsign<C>(
  provider: EsignProvider<C>,
  credentials: C,
  {
    allowed = ["127.0.0.0/8"],
    limiters = new RequestLimiters(1),
    folder = "",
    log = silentLog,
  } = {},
): ConnectedEsign {
  const outbound = new Outbound({
    allowPrivateNetworks: allowed,
    log: silentLog,
  });
  const calls = new PluginCalls({
    outbound,
    limiters,
    userAgent: "Platen tests",
    log,
  });
  const place = {
    folder: () => Promise.resolve(folder),
    pageAddress: (path: string) => `http://127.0.0.1/esign/test/${path}`,
  };
  return new ConnectedEsign(provider, credentials, calls, place);
}

/** A process that sends and polls requests; it is killed at the end of the suite. */
interface EsignProcess {
  /** Resolves when the process is ready. */
  ready: Promise<unknown>;
  /** Kills the process without a clean stop. */
  kill(): Promise<void>;
}

export function startEsignProcess(options: EsignProcessOptions): EsignProcess {
  const args = [
    ...partArguments("esign-process-main"),
    JSON.stringify(options),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  after(kill);
  // It writes only when it is ready.
  return { ready: once(child.stdout, "data"), kill };
}

/** Starts a fake provider for the calling suite, and connects its plugin to it. */
export function useProvider<
  C,
  Fake extends { credentials: C; close(): Promise<void> },
>(
  plugin: EsignProvider<C>,
  start: () => Promise<Fake>,
): { readonly fake: Fake; readonly provider: ConnectedEsign } {
  let connected: { fake: Fake; provider: ConnectedEsign } | undefined;
  before(async () => {
    const fake = await start();
    connected = { fake, provider: connectedEsign(plugin, fake.credentials) };
  });
  after(() => connected?.fake.close());
  const get = () => {
    if (connected) return connected;
    throw new Error("the fake has not been started");
  };
  return {
    get fake() {
      return get().fake;
    },
    get provider() {
      return get().provider;
    },
  };
}
