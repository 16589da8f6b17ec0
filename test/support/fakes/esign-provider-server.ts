import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import formats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

// What the fakes of e-signature providers share: a server with planned faults, and schemas that refuse more than a provider
// does. What each of them refuses is at its own top.

export interface ProviderRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface ProviderReply {
  status: number;
  /** JSON, unless it is bytes. */
  body: unknown;
  headers?: Record<string, string>;
}

/** A provider's server on the loopback interface, with planned faults. */
export class ProviderServer {
  readonly clock = new FakeClock();
  readonly faults = new FaultPlan();
  /** `METHOD /path` of each request that arrived. */
  readonly log: string[] = [];
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #running = new Set<Promise<ProviderReply>>();
  readonly #server = createServer((request, response) => {
    void this.#receive(request, response);
  });

  constructor(
    private readonly handle: (
      request: ProviderRequest,
    ) => Promise<ProviderReply>,
  ) {}

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : null;
    return `http://127.0.0.1:${port}`;
  }

  /** Processes the requests that were `late`. */
  async catchUp(): Promise<void> {
    for (const work of this.#late.splice(0)) await work();
  }

  /** Resolves when all received requests have been processed, answered or not. */
  async waitUntilSettled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #receive(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const received = await readRequest(request, this.url).catch(() => null);
    // The client has disconnected.
    if (received === null) return;
    const call = `${received.method} ${received.path}`;
    this.log.push(call);
    const fault = this.faults.take(call);
    if (fault === null) send(response, await this.#process(received));
    else await this.#applyFault(fault, received, request, response);
  }

  async #process(request: ProviderRequest): Promise<ProviderReply> {
    const reply = this.handle(request).catch((error: unknown) => ({
      status: 500,
      body: { error: String(error) },
    }));
    this.#running.add(reply);
    try {
      return await reply;
    } finally {
      this.#running.delete(reply);
    }
  }

  async #applyFault(
    fault: FakeFault,
    received: ProviderRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (typeof fault === "object") return send(response, fault);
    if (fault === "html") return sendPage(response, 200, "Sign in");
    if (fault === "late") this.#late.push(() => this.#process(received));
    if (["lost", "silent", "bad-gateway"].includes(fault))
      await this.#process(received);
    if (fault === "bad-gateway") sendPage(response, 502, "Bad gateway");
    if (fault === "reset" || fault === "lost") request.socket.destroy();
  }
}

async function readRequest(
  request: IncomingMessage,
  at: string,
): Promise<ProviderRequest> {
  const { pathname, searchParams } = new URL(request.url ?? "/", at);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return {
    method: request.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: await buffer(request),
  };
}

function send(
  response: ServerResponse,
  { status, headers = {}, body }: ProviderReply,
): void {
  const isBytes = body instanceof Uint8Array;
  response
    .writeHead(status, {
      "content-type": isBytes ? "application/pdf" : "application/json",
      ...headers,
    })
    .end(isBytes ? body : JSON.stringify(body));
}

function sendPage(response: ServerResponse, status: number, title: string) {
  response
    .writeHead(status, { "content-type": "text/html" })
    .end(`<!doctype html><title>${title}</title>`);
}

/**
 * `reset` breaks the connection and `stall` never answers, both before the request is processed; `lost` and `silent` do
 * the same after it. `late` never answers, and processes the request when the test calls `catchUp`. `bad-gateway` answers
 * with a 502 page after the request is processed. `html` answers with a login page instead of processing it.
 */
type FakeFault =
  | "reset"
  | "stall"
  | "lost"
  | "silent"
  | "late"
  | "bad-gateway"
  | "html"
  | { status: number; headers?: Record<string, string>; body: unknown };

interface Planned {
  call: RegExp;
  fault: FakeFault;
  times: number;
}

/** The faults that a test has planned, each for the next matching requests. */
class FaultPlan {
  readonly #planned: Planned[] = [];

  /** @param call matches `POST /api/submissions/pdf`, without the query. */
  next(call: RegExp, fault: FakeFault, times = 1): void {
    this.#planned.push({ call, fault, times });
  }

  /** Answers the next requests with 429. */
  tooMany(call: RegExp, times = 1, retryAfterSeconds = 0): void {
    const headers = { "retry-after": String(retryAfterSeconds) };
    const body = { error: "Too many requests" };
    this.next(call, { status: 429, headers, body }, times);
  }

  clear(): void {
    this.#planned.length = 0;
  }

  take(call: string): FakeFault | null {
    const index = this.#planned.findIndex((one) => one.call.test(call));
    const planned = this.#planned[index];
    if (!planned) return null;
    planned.times -= 1;
    if (planned.times <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }
}

/** A clock that can be advanced. */
class FakeClock {
  #aheadMs = 0;

  get now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  advance(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }
}

/** The JSON Schema of an object with these properties and no others. */
export function strictObject(
  required: Record<string, object>,
  optional: Record<string, object> = {},
) {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/**
 * Checks requests against schemas that are stricter than the provider: properties that it would silently ignore, such as
 * `expiresAt` for `expire_at`, are rejected and recorded.
 */
export class StrictSchemas {
  /** The problems of all requests so far; a correct plugin causes none. */
  readonly violations: string[] = [];
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });
  readonly #checks = new Map<object, ValidateFunction>();

  constructor() {
    formats.default(this.#ajv);
  }

  /** Returns what is wrong with the value; null when it is valid. */
  findViolation(schema: object, value: unknown, what: string): string | null {
    const check = this.#checks.get(schema) ?? this.#ajv.compile(schema);
    this.#checks.set(schema, check);
    if (check(value)) return null;
    const fault = `${what}: ${this.#ajv.errorsText(check.errors)}`;
    this.violations.push(fault);
    return fault;
  }
}

/** A text in a box; parts of the page's width and height, from its top left corner. */
interface PdfText {
  page: number;
  x: number;
  y: number;
  w: number;
  h: number;
  text: string;
}

/** The PDF with what was filled in. */
export async function fillPdf(
  bytes: Uint8Array,
  marks: readonly PdfText[],
): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes);
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const { page: number, x, y, h, text } of marks) {
    const page = pdf.getPage(number - 1);
    const { width, height } = page.getSize();
    const place = { x: x * width, y: (1 - y - h) * height + 2 };
    page.drawText(printable(text), { ...place, size: 8, font });
  }
  return pdf.save();
}

/** A PDF of one page with these lines. */
export async function createTextPdf(
  lines: readonly string[],
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage();
  const top = page.getHeight() - 40;
  for (const [at, line] of lines.entries())
    page.drawText(printable(line), { x: 40, y: top - 14 * at, size: 10, font });
  return pdf.save();
}

/** The built-in fonts know no other characters. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
