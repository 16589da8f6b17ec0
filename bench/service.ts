import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PDFDocument } from "@cantoo/pdf-lib";
import { type Dispatcher, Pool } from "undici";
import { readHtmlInvoice } from "./html-invoice.js";

export const CLI = new URL("../dist/core/cli/main.js", import.meta.url)
  .pathname;

/** The command of the process that does everything, or of those that share it out. */
const COMMANDS = { all: "start", serve: "serve", worker: "worker" } as const;

/** What `npm start` and the Docker image give to Node. */
const NODE_OPTIONS = ["--max-semi-space-size=16"];

/** A process of the built service, once it is ready. */
export interface ServiceProcess {
  pid: number;
  url: string;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts it with these variables and no others of ours, on any free port. */
export async function startProcess(
  role: keyof typeof COMMANDS,
  env: Readonly<Record<string, string>>,
  processes = 1,
): Promise<ServiceProcess> {
  const command = [CLI, COMMANDS[role], "--processes", String(processes)];
  const child = spawn(process.execPath, [...NODE_OPTIONS, ...command], {
    env: {
      ...environmentOfOthers(),
      PLATEN_PORT: "0",
      PLATEN_LOG_FORMAT: "json",
      ...env,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await readyUrl(child);
  return { pid: child.pid ?? 0, url, stop: () => stop(child) };
}

function environmentOfOthers(): Record<string, string | undefined> {
  const others = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PLATEN_"),
  );
  return Object.fromEntries(others);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** The log line that says that the service is ready contains its address. */
async function readyUrl({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("the process has no output");
  const seen: string[] = [];
  const lines = createInterface({ input: stdout });
  const ready = new Promise<string>((resolve, reject) => {
    lines.on("line", (line) => {
      if (seen.length < 50) seen.push(line);
      if (line.includes('"platen is ready"')) resolve(parseUrl(line));
    });
    lines.once("close", () => {
      reject(new Error(`the service did not start:\n${seen.join("\n")}`));
    });
  });
  const url = await ready;
  lines.close();
  stdout.resume();
  return url;
}

function parseUrl(line: string): string {
  const { url }: { url: string } = JSON.parse(line);
  return url;
}

/** Starts the built service in a process of its own with its demo; the client uses the demo's key. */
export async function startDemo(processes = 1) {
  const folder = await DataFolder.make();
  const env = { PLATEN_DATA: folder.path };
  const service = await startProcess("all", env, processes);
  const client = new ApiClient(service.url, await folder.key());
  const invoice = await folder.invoice();
  return { folder, service, client, invoice };
}

/** The built service in a process of its own, on a free port, with an empty database and its demo invoice. */
export class RunningService {
  private constructor(
    private readonly folder: DataFolder,
    private readonly process: ServiceProcess,
    private readonly client: ApiClient,
    private readonly invoice: ExportRequest,
    private readonly htmlInvoice: ExportRequest,
  ) {}

  static async start(processes = 1): Promise<RunningService> {
    const { folder, service, client, invoice } = await startDemo(processes);
    const template = readHtmlInvoice();
    const saved = await client.post("/api/templates", template);
    const { id: templateId }: { id: string } = JSON.parse(saved.toString());
    const data = Object(template.definition.sample);
    const htmlInvoice = { templateId, formats: [], data };
    return new RunningService(folder, service, client, invoice, htmlInvoice);
  }

  get pid(): number {
    return this.process.pid;
  }

  /** What is printed. */
  get record(): object {
    return this.invoice.data;
  }

  /** The demo invoice in one format, over HTTP with its key. */
  render(format: "pdf" | "html"): Promise<Buffer> {
    return this.#export({ ...this.invoice, formats: [format] });
  }

  /** The demo invoice as a PDF with these options. */
  renderPdf(pdf: object): Promise<Buffer> {
    return this.#export({
      ...this.invoice,
      formats: ["pdf"],
      renderOptions: { pdf },
    });
  }

  /** The same for an invoice whose template is written in HTML. */
  renderMarkup(format: "pdf" | "html"): Promise<Buffer> {
    return this.#export({ ...this.htmlInvoice, formats: [format] });
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
      (await this.#export(order)).toString(),
    );
    const file = await fetch(answer.pdf.url);
    const pdf = await PDFDocument.load(await file.arrayBuffer());
    return pdf.getPageCount();
  }

  /** The very html that the service prints. */
  async html(): Promise<string> {
    return toHtml(await this.render("html"));
  }

  async markupHtml(): Promise<string> {
    return toHtml(await this.renderMarkup("html"));
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.process.stop();
    await this.folder.remove();
  }

  #export(order: ExportRequest): Promise<Buffer> {
    return this.client.post("/api/export", order);
  }
}

function toHtml(answer: Buffer): string {
  const { html }: { html: { htmlDocument: string } } = JSON.parse(
    answer.toString(),
  );
  return html.htmlDocument;
}

/** The demo request of a service: its invoice. */
export interface ExportRequest {
  templateId: string;
  formats: string[];
  data: { lines: unknown[] };
  renderOptions?: object;
}

/** A data folder of its own for one or several processes of the service. */
export class DataFolder {
  private constructor(readonly path: string) {}

  static async make(): Promise<DataFolder> {
    return new DataFolder(await mkdtemp(join(tmpdir(), "platen-bench-")));
  }

  /** Of the demo organization; there once a service has started on this folder. */
  async key(): Promise<string> {
    return (await this.#read("demo-key.txt")).trim();
  }

  /** Like the key. */
  async invoice(): Promise<ExportRequest> {
    return JSON.parse(await this.#read("demo-invoice.json"));
  }

  #read(name: string): Promise<string> {
    return readFile(join(this.path, name), "utf8");
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Asks a service over connections that are kept open, with its demo key. */
export class ApiClient {
  readonly #pool: Pool;

  constructor(
    url: string,
    private readonly key: string,
  ) {
    // Whole documents of many pages are waited for.
    this.#pool = new Pool(url, { headersTimeout: 0, bodyTimeout: 0 });
  }

  /** @throws Error when it is not answered with 2xx. */
  get(path: string): Promise<Buffer> {
    return this.#send("GET", path, "");
  }

  /** @throws Error when it is not answered with 2xx. */
  post(path: string, body: object): Promise<Buffer> {
    return this.#send("POST", path, JSON.stringify(body));
  }

  /** @throws Error when it is not answered with 2xx. */
  patch(path: string, body: object): Promise<Buffer> {
    return this.#send("PATCH", path, JSON.stringify(body));
  }

  close(): void {
    void this.#pool.destroy();
  }

  async #send(
    method: Dispatcher.HttpMethod,
    path: string,
    body: string,
  ): Promise<Buffer> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: {
        "x-api-key": this.key,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body }),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return bytes;
    throw new Error(`the service answered ${statusCode}: ${bytes.toString()}`);
  }
}
