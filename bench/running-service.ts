import { PDFDocument } from "@cantoo/pdf-lib";
import { ApiClient } from "./api-client.js";
import { DataFolder, type ExportRequest } from "./data-folder.js";
import { type ServiceProcess, startProcess } from "./service-process.js";

/** The built service in a process of its own, on a free port, with an empty database and its demo invoice. */
export class RunningService {
  private constructor(
    private readonly folder: DataFolder,
    private readonly process: ServiceProcess,
    private readonly client: ApiClient,
    private readonly invoice: ExportRequest,
  ) {}

  static async start(): Promise<RunningService> {
    const folder = await DataFolder.make();
    const env = { PLATEN_DATA: folder.path };
    const started = await startProcess("all", env);
    const client = new ApiClient(started.url, await folder.key());
    const invoice = await folder.invoice();
    return new RunningService(folder, started, client, invoice);
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
    const answer: { html: { htmlDocument: string } } = JSON.parse(
      (await this.render("html")).toString(),
    );
    return answer.html.htmlDocument;
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
