import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { PDFDocument } from "@cantoo/pdf-lib";

const MAIN = new URL("../dist/core/main.js", import.meta.url);

interface ExportRequest {
  templateId: string;
  formats: string[];
  data: { lines: unknown[] };
}

/** The built service in a process of its own, on a free port, with an empty database and its demo invoice. */
export class RunningService {
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(
    readonly pid: number,
    private readonly url: string,
    private readonly key: string,
    private readonly invoice: ExportRequest,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(): Promise<RunningService> {
    const folder = await mkdtemp(join(tmpdir(), "platen-bench-"));
    const child = spawn(process.execPath, [MAIN.pathname], {
      env: {
        ...process.env,
        PLATEN_DATA: folder,
        PLATEN_PORT: "0",
        PLATEN_LOG_FORMAT: "json",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stderr.resume();
    const url = await readyUrl(child.stdout);
    const key = await readFile(join(folder, "demo-key.txt"), "utf8");
    const invoice: ExportRequest = JSON.parse(
      await readFile(join(folder, "demo-invoice.json"), "utf8"),
    );
    const end = async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    };
    return new RunningService(child.pid ?? 0, url, key.trim(), invoice, end);
  }

  /** The demo invoice in one format, over HTTP with its key. */
  render(format: "pdf" | "html"): Promise<Buffer> {
    return this.#post({ ...this.invoice, formats: [format] });
  }

  /** The same with as many lines as `rows`. @returns how many pages it has */
  async renderLong(rows: number): Promise<number> {
    const { data } = this.invoice;
    const lines = Array.from(
      { length: rows },
      (_, index) => data.lines[index % data.lines.length],
    );
    const order = { ...this.invoice, data: { ...data, lines } };
    const answer: { pdf: { url: string } } = JSON.parse(
      (await this.#post(order)).toString(),
    );
    const file = await fetch(answer.pdf.url);
    const pdf = await PDFDocument.load(await file.arrayBuffer());
    return pdf.getPageCount();
  }

  async #post(order: ExportRequest): Promise<Buffer> {
    const body = JSON.stringify(order);
    const call = request(`${this.url}/api/export`, {
      method: "POST",
      agent: this.#agent,
      headers: {
        "x-api-key": this.key,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    });
    call.end(body);
    const [response]: IncomingMessage[] = await once(call, "response");
    if (!response) throw new Error("the service did not answer");
    const answer = await buffer(response);
    if (response.statusCode === 200) return answer;
    const status = String(response.statusCode);
    throw new Error(`the service answered ${status}: ${answer.toString()}`);
  }

  /** The very html that the service prints. */
  async html(): Promise<string> {
    const answer: { html: { htmlDocument: string } } = JSON.parse(
      (await this.render("html")).toString(),
    );
    return answer.html.htmlDocument;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.end();
  }
}

/** The address stands in the line that says that the service is ready. */
async function readyUrl(output: NodeJS.ReadableStream): Promise<string> {
  const seen: string[] = [];
  for await (const line of createInterface({ input: output })) {
    seen.push(line);
    if (!line.includes('"platen is ready"')) continue;
    const { url }: { url: string } = JSON.parse(line);
    output.resume();
    return url;
  }
  throw new Error(`the service did not start:\n${seen.join("\n")}`);
}
