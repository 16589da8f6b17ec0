import { access, constants, stat } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { z } from "zod";
import {
  type Conformance,
  CONFORMANCES,
  describeProblem,
  PlatenError,
} from "../plugin-api/index.js";
import type { UnknownFields } from "../definition/index.js";
import type { RenderReport, RenderRequest } from "../documents/index.js";
import type { CliServices, CommandLine, RenderedFile } from "./services.js";
import {
  createUnknownFieldsOption,
  parseVersion,
  print,
  readJson,
  warn,
  writeWhole,
} from "./terminal.js";

/** What `POST /api/export` is asked for, by format of this command. */
const formats = {
  pdf: { formats: ["pdf"] },
  html: { formats: ["html"] },
  png: { formats: ["image"], imageType: "png" },
  jpg: { formats: ["image"], imageType: "jpg" },
  mjml: { formats: ["mjml"] },
  xml: { formats: ["xml"] },
} as const;
type Format = keyof typeof formats;

const extensions: Record<string, Format> = {
  ".pdf": "pdf",
  ".html": "html",
  ".htm": "html",
  ".png": "png",
  ".jpg": "jpg",
  ".jpeg": "jpg",
  ".mjml": "mjml",
  ".xml": "xml",
};

interface Options {
  template: string;
  data?: string;
  out: string;
  format?: Format;
  version?: number;
  strict?: boolean;
  unknownFields?: UnknownFields;
  conformance?: string;
  test?: boolean;
  org?: string;
  url?: string;
  json?: boolean;
}

type Order = Omit<RenderRequest, "organizationId" | "createdById">;

export function addRender(render: Command, cli: CommandLine): void {
  render
    .requiredOption("--template <id>", "Template ID, or its exact name")
    .option(
      "--data <file>",
      "JSON file with the record; - reads stdin (default: an empty record)",
    )
    .requiredOption("--out <file>", "File to write; - writes to stdout")
    .addOption(
      new Option(
        "--format <format>",
        "Format (default: from the file's extension; pdf on stdout)",
      ).choices(Object.keys(formats)),
    )
    .option(
      "--version <n>",
      "Version of the template (default: its current definition)",
      parseVersion,
    )
    .option("--strict", "Fail where the document would get warnings")
    .addOption(createUnknownFieldsOption())
    .option(
      "--conformance <standards>",
      "Standards of the PDF, such as pdf/a-2u,pdf/ua-1 (default: the template's)",
    )
    .option("--test", "Add a watermark, and do not count the document")
    .addOption(
      new Option(
        "--org <id>",
        "Render in this process, for this organization",
      ).conflicts("url"),
    )
    .option(
      "--url <url>",
      "Render on the service at this URL, with the API key in PLATEN_API_KEY",
    )
    .option("--json", "Print { documentId, file, format, sizeBytes, warnings }")
    .addHelpText(
      "after",
      `
Either way the document is stored, listed and counted like one of POST /api/export.
An image shows the first page of a document. Warnings go to stderr.

Examples:
  platen render --org ID --template Invoice --data invoice.json --out invoice.pdf
  PLATEN_API_KEY=plk_... platen render --url https://platen.example.com \\
    --template ID --data - --out - < invoice.json > invoice.pdf`,
    )
    .action(async (options: Options) => {
      const { org, url } = options;
      if (org === undefined && url === undefined)
        render.error(
          "error: choose where to render: --org <id> in this process, or --url <url> on a running service",
        );
      const format = await formatOf(options);
      const order = await orderOf(options, format);
      if (url !== undefined) {
        const api = new Api(url, await cli.readVariable("PLATEN_API_KEY"));
        await deliver(await api.render(order), options, format);
      } else if (org !== undefined)
        await cli.withServices(async (services) => {
          const file = await renderHere(services, org, order);
          await deliver(file, options, format);
        });
    });
}

async function renderHere(
  { organizations, templates, render }: CliServices,
  organization: string,
  order: Order,
): Promise<RenderedFile> {
  const { organizationId, userId } = await organizations.ownUser(organization);
  const templateId = await findTemplate(order.templateId, async (q) =>
    (await templates()).list(organizationId, { page: 1, pageSize: 100, q }),
  );
  const owner = { organizationId, createdById: userId };
  return render({ ...order, ...owner, templateId });
}

/** Checks the destination too: a document that has nowhere to go must not be rendered and counted. */
async function formatOf({ out, format, json }: Options): Promise<Format> {
  if (out === "-") {
    const chosen = format ?? "pdf";
    if (json)
      throw invalid(
        "With --out -, stdout carries the document: choose a file, or leave out --json.",
      );
    if (process.stdout.isTTY && !["html", "mjml", "xml"].includes(chosen))
      throw invalid(
        `A ${chosen} file is not printed on a terminal: redirect stdout to a file or a program, or choose a file with --out.`,
      );
    return chosen;
  }
  const chosen = format ?? extensions[extname(out).toLowerCase()];
  if (chosen === undefined)
    throw invalid(
      `The format of ${out} is unclear: end its name in .pdf, .html, .png, .jpg, .mjml or .xml, or choose one with --format.`,
    );
  const folder = dirname(out);
  if ((await stat(out).catch(() => null))?.isDirectory())
    throw invalid(`${out} is a folder: give --out a file in it.`);
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    throw invalid(`There is no folder ${folder}: create it, or change --out.`);
  await access(folder, constants.W_OK).catch(() => {
    throw invalid(
      `You have no permission to write to the folder ${folder}: change --out.`,
    );
  });
  return chosen;
}

async function parseConformance(text: string): Promise<Conformance[]> {
  const { conformanceListSchema } = await import("../definition/index.js");
  const names = text.split(",").map((name) => name.trim());
  const { success, data } = conformanceListSchema.safeParse(names);
  if (!success)
    throw invalid(
      `--conformance "${text}" is not a standard of a PDF: give it one of ${CONFORMANCES.join(", ")}, or an archival one and pdf/ua-1 with a comma between them.`,
    );
  return data;
}

async function orderOf(options: Options, format: Format): Promise<Order> {
  const { template, data, version, strict, unknownFields, test } = options;
  const { conformance } = options;
  return {
    templateId: template,
    ...formats[format],
    ...(data !== undefined && { data: await readJson(data) }),
    ...(version !== undefined && { templateVersion: version }),
    ...(strict && { strict }),
    ...(unknownFields && { unknownFields }),
    ...(conformance !== undefined && {
      renderOptions: {
        pdf: { conformance: await parseConformance(conformance) },
      },
    }),
    ...(test && { isTest: test }),
  };
}

/** What is read of a list of templates. */
const templateList = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string() })),
});
type NamedTemplates = z.output<typeof templateList>;

/** @param list finds templates whose name contains a text. */
async function findTemplate(
  idOrName: string,
  list: (text: string) => Promise<NamedTemplates>,
): Promise<string> {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(idOrName))
    return idOrName;
  const { data } = await list(idOrName);
  const named = data.filter(({ name }) => name === idOrName);
  const [template, ...others] = named;
  if (template === undefined)
    throw new PlatenError(
      "not_found",
      `No template is named "${idOrName}": give --template an ID or a name as in platen template list.`,
    );
  if (others.length > 0)
    throw invalid(
      `${named.length} templates are named "${idOrName}": give --template one of the IDs ${named.map(({ id }) => id).join(", ")}.`,
    );
  return template.id;
}

async function deliver(
  { documentId, bytes, warnings }: RenderedFile,
  options: Options,
  format: Format,
): Promise<void> {
  for (const warning of warnings) warn(`warning: ${describeProblem(warning)}`);
  const { out } = options;
  if (out === "-") return writeToStdout(bytes);
  await writeWhole(out, bytes);
  const sizeBytes = bytes.length;
  const result = { documentId, file: out, format, sizeBytes, warnings };
  print(options, result, `Rendered ${out} (${sizeBytes} bytes).`);
}

async function writeToStdout(bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** The REST API of a service elsewhere. */
class Api {
  readonly #base: string;
  readonly #key: string;

  /** @throws PlatenError without a usable URL and key. */
  constructor(url: string, key: string | null) {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
      throw invalid(
        `"${url}" is not the URL of a service: --url must start with http:// or https://.`,
      );
    if (key === null)
      throw new PlatenError(
        "unauthorized",
        "--url needs an API key: set PLATEN_API_KEY. `platen key create` makes one.",
      );
    this.#base = url.replace(/\/+$/, "");
    this.#key = key;
  }

  async render(order: Order): Promise<RenderedFile> {
    const templateId = await findTemplate(order.templateId, async (q) => {
      const query = new URLSearchParams({ q, pageSize: "100" });
      const list = await this.#call(`/api/templates?${query.toString()}`);
      return templateList.parse(await list.json());
    });
    const body = JSON.stringify({ ...order, templateId });
    const response = await this.#call("/api/export", body);
    const documentId = response.headers.get("x-document-id") ?? "";
    const count = Number(response.headers.get("x-render-warnings") ?? 0);
    const result = exportResult.parse(await response.json());
    return {
      documentId,
      bytes: await bytesOf(result),
      warnings: count === 0 ? [] : await this.#warnings(documentId, count),
    };
  }

  /** The key may be allowed to render and not to read: then their number alone is known. */
  async #warnings(
    documentId: string,
    count: number,
  ): Promise<RenderedFile["warnings"]> {
    try {
      const response = await this.#call(`/api/documents/${documentId}`);
      const { metadata } = documentWithReport.parse(await response.json());
      const { reportProblems } = await import("../documents/index.js");
      return reportProblems(metadata.platen.report);
    } catch {
      const warnings = count === 1 ? "1 warning" : `${count} warnings`;
      const message = `The document has ${warnings}; a key with the scope documents:read may read what is missing.`;
      return [{ path: documentId, code: "unread_report", message }];
    }
  }

  /** @throws PlatenError with the service's own words for what it refuses. */
  async #call(path: string, body?: string): Promise<Response> {
    const response = await request(`${this.#base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-api-key": this.#key, "content-type": "application/json" },
      // The key is for this service, not for another one that it names.
      redirect: "manual",
      ...(body !== undefined && { body }),
    });
    if (response.ok) return response;
    const reply: unknown = await response.json().catch(() => null);
    const answer = z.object({ error: z.string() }).safeParse(reply);
    throw new PlatenError(
      "unavailable",
      answer.success
        ? answer.data.error
        : `${this.#base} answered ${response.status}: check that --url is the address of a Platen service.`,
    );
  }
}

/** What is read of the answer of `POST /api/export`. */
const exportResult = z.object({
  pdf: z.object({ url: z.url() }).optional(),
  image: z.object({ url: z.url() }).optional(),
  xml: z.object({ url: z.url() }).optional(),
  html: z.object({ htmlDocument: z.string() }).optional(),
  mjml: z.object({ mjmlDocument: z.string() }).optional(),
});

/** What is read of the answer of `GET /api/documents/:documentId`. */
const documentWithReport = z.object({
  metadata: z.object({
    platen: z.object({ report: z.custom<RenderReport>() }),
  }),
});

async function bytesOf({
  pdf,
  image,
  html,
  mjml,
  xml,
}: z.output<typeof exportResult>): Promise<Buffer> {
  const text = html?.htmlDocument ?? mjml?.mjmlDocument;
  if (text !== undefined) return Buffer.from(text);
  const url = pdf?.url ?? image?.url ?? xml?.url ?? "";
  const response = await request(url);
  if (response.ok && response.body !== null) return buffer(response.body);
  throw new PlatenError(
    "unavailable",
    `The document was rendered, but its download link answered ${response.status}: ${url}`,
  );
}

async function request(url: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    const { host } = new URL(url);
    throw new PlatenError(
      "unavailable",
      `${host} cannot be reached (${networkFault(cause)}): check that the service is running, and that --url and the service's PLATEN_BASE_URL are right.`,
      { cause },
    );
  }
}

/** `fetch` says only that it failed, and of a host with several addresses its cause says nothing but a code. */
function networkFault(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error)) return String(error);
  if (cause.message !== "") return cause.message;
  return "code" in cause ? String(cause.code) : cause.name;
}

function invalid(message: string): PlatenError {
  return new PlatenError("invalid_request", message);
}
