import type { ServerResponse } from "node:http";
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import formats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import {
  FakeServer,
  sendReply,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// What the fakes of e-signature providers share: a server with planned faults, and schemas that refuse more than a provider
// does. What each of them refuses is at its own top.

/** A provider's server, with planned faults. */
export class ProviderServer extends FakeServer {
  readonly clock = new FakeClock();
  readonly faults = new FaultPlan();
  readonly #late: (() => Promise<unknown>)[] = [];
  readonly #running = new Set<Promise<FakeReply>>();

  constructor(
    protected readonly respond: (request: FakeRequest) => Promise<FakeReply>,
  ) {
    super();
  }

  /** Processes the requests that were `late`. */
  async catchUp(): Promise<void> {
    for (const work of this.#late.splice(0)) await work();
  }

  /** Resolves when all received requests have been processed, answered or not. */
  async waitUntilSettled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  protected override async answer(
    request: FakeRequest,
    response: ServerResponse,
  ): Promise<void> {
    const call = `${request.method} ${request.path}`;
    const fault = this.faults.take(call);
    if (fault === null)
      return sendReply(response, await this.#process(request));
    if (fault === "late") this.#late.push(() => this.#process(request));
    if (fault === "lost" || fault === "silent") await this.#process(request);
    if (fault === "lost" || fault === "reset") response.destroy();
  }

  async #process(request: FakeRequest): Promise<FakeReply> {
    const reply = this.replyTo(request);
    this.#running.add(reply);
    try {
      return await reply;
    } finally {
      this.#running.delete(reply);
    }
  }
}

export function pdfReply(body: Uint8Array): FakeReply {
  return { headers: { "content-type": "application/pdf" }, body };
}

/**
 * `reset` breaks the connection before the request is processed, `lost` after it; `silent` processes it and never answers.
 * `late` never answers, and processes the request when the test calls `catchUp`.
 */
type FakeFault = "reset" | "lost" | "silent" | "late";

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
