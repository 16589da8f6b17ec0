import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import {
  type IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from "node:http";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createContext, runInContext } from "node:vm";
import { buildSync } from "esbuild";
import type {
  ICredentialType,
  IDataObject,
  IExecuteFunctions,
  IHookFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IWebhookFunctions,
  INodeExecutionData,
  INodeProperties,
  INodeType,
} from "../../connectors/n8n/types/n8n-workflow.js";
import type { OpenApiDocument } from "./openapi.js";

/** The nodes as they are packed, beside a package with the parts of `n8n-workflow` that they use when they run. */
export function loadNodes(folder: string) {
  const dist = join(folder, "dist");
  execFileSync(process.execPath, ["scripts/build-n8n.mjs", dist]);
  const peer = join(folder, "node_modules", "n8n-workflow");
  mkdirSync(peer, { recursive: true });
  buildSync({
    entryPoints: [resolve("test/support/fakes/n8n-workflow.ts")],
    outfile: join(peer, "index.js"),
    format: "cjs",
    platform: "node",
  });
  const require = createRequire(join(dist, "index.js"));
  const {
    Platen,
  }: Record<
    "Platen",
    new () => INodeType
  > = require("./nodes/Platen/Platen.node.js");
  const {
    PlatenTrigger,
  }: Record<
    "PlatenTrigger",
    new () => INodeType
  > = require("./nodes/PlatenTrigger/PlatenTrigger.node.js");
  const {
    PlatenApi,
  }: Record<
    "PlatenApi",
    new () => ICredentialType
  > = require("./credentials/PlatenApi.credentials.js");
  return {
    dist,
    platen: new Platen(),
    trigger: new PlatenTrigger(),
    credential: new PlatenApi(),
  };
}

interface Run {
  items?: IDataObject[];
  executionId?: string;
  continueOnFail?: boolean;
}

/** Runs nodes as n8n does: with the defaults of parameters, expressions, and credentials in requests. */
export class NodeRunner {
  /** The ids of the operations that were called. */
  readonly calls: string[] = [];
  readonly #node = { id: "n1", name: "Platen", type: "platen" };
  readonly #staticData: IDataObject = {};
  /** Of the trigger, since its last hook. */
  #events: unknown;

  constructor(
    private readonly nodes: ReturnType<typeof loadNodes>,
    private readonly api: OpenApiDocument,
    private readonly credentials: { baseUrl: string; apiKey: string },
  ) {}

  /** Runs the node Platen. @param parameters that differ from the defaults */
  async execute(
    parameters: IDataObject,
    {
      items = [{}],
      executionId = crypto.randomUUID(),
      continueOnFail = false,
    }: Run = {},
  ): Promise<INodeExecutionData[]> {
    const node = this.nodes.platen;
    const all = withDefaults(node.description.properties, parameters);
    const context: IExecuteFunctions = {
      ...this.#base(),
      getInputData: () => items.map((json) => ({ json })),
      getNodeParameter: (name: string, at: number, fallback: unknown) =>
        evaluate(read(all, name) ?? fallback, {
          $json: items[at],
          $itemIndex: at,
        }),
      getExecutionId: () => executionId,
      getInstanceBaseUrl: () => "http://127.0.0.1:5678/",
      evaluateExpression: (text: string) =>
        evaluate(`=${text}`, { $runIndex: 0 }),
      continueOnFail: () => continueOnFail,
      getExecutionCancelSignal: () => undefined,
    };
    const outputs = await node.execute?.call(context);
    return outputs?.[0] ?? [];
  }

  /** What functions get that fill a list of the node Platen. */
  whileEditing(parameters: IDataObject): ILoadOptionsFunctions {
    return {
      ...this.#base(),
      getNodeParameter: (name) => read(parameters, name),
    };
  }

  /** Turns the workflow of the trigger on, off, or looks whether it is on. */
  async hook(
    name: "checkExists" | "create" | "delete",
    { events }: { events: string[] },
    url: string,
  ): Promise<boolean> {
    this.#events = events;
    const context: IHookFunctions = {
      ...this.#base(),
      getNodeParameter: () => events,
      getNodeWebhookUrl: () => url,
    };
    const method = this.nodes.trigger.webhookMethods?.default[name];
    if (!method) throw new Error(`no method ${name}`);
    return method.call(context);
  }

  /** Hands a message to the trigger. @returns the items that it starts with, and its answer if that is not n8n's own. */
  async receive(body: Buffer, headers: IncomingHttpHeaders) {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      rawBody: body,
      readRawBody: async () => undefined,
    });
    const response = new ServerResponse(request);
    const texts: unknown[] = [];
    response.end = (text: unknown) => {
      texts.push(text);
      return response;
    };
    const context: IWebhookFunctions = {
      ...this.#base(),
      getNodeParameter: () => this.#events,
      getRequestObject: () => request,
      getHeaderData: () => headers,
      getResponseObject: () => response,
    };
    const result = await this.nodes.trigger.webhook?.call(context);
    const answer = { status: response.statusCode, text: texts.join("") };
    return {
      items: result?.workflowData?.[0] ?? [],
      answer: result?.noWebhookResponse ? answer : null,
    };
  }

  #base() {
    return {
      getNode: () => this.#node,
      getWorkflow: () => ({ id: "w1", name: "Orders" }),
      getWorkflowStaticData: () => this.#staticData,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is one type of them
      getCredentials: async <T extends object>() => this.credentials as T,
      helpers: {
        httpRequest: (options: IHttpRequestOptions) => this.#send(options, {}),
        httpRequestWithAuthentication: (
          _type: string,
          options: IHttpRequestOptions,
        ) => this.#sendWithKey(options),
        prepareBinaryData: async (
          content: Buffer | Readable,
          fileName = "",
          mimeType = "",
        ) => ({
          data: String(
            Buffer.isBuffer(content) ? content : await buffer(content),
          ),
          fileName,
          mimeType,
        }),
      },
    };
  }

  async #sendWithKey(options: IHttpRequestOptions) {
    const { headers = {} } =
      this.nodes.credential.authenticate?.properties ?? {};
    const own = Object.entries(headers).map(([name, value]) => [
      name,
      String(evaluate(value, { $credentials: this.credentials })),
    ]);
    return this.#send(options, Object.fromEntries(own));
  }

  async #send(
    options: IHttpRequestOptions,
    credentials: Record<string, string>,
  ) {
    const { method = "GET", qs, body, encoding } = options;
    const url = new URL(options.url);
    for (const [name, value] of Object.entries(toTexts(qs)))
      url.searchParams.set(name, value);
    const headers = {
      ...(body && { "content-type": "application/json" }),
      ...toTexts(options.headers),
      ...credentials,
    };
    if (url.pathname.startsWith("/api/")) {
      const path = url.pathname + url.search;
      // As the service reads it.
      const sent: unknown = body && JSON.parse(JSON.stringify(body));
      this.calls.push(this.api.check({ method, path, headers, body: sent }));
    }
    const response = await fetch(url, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok && !options.ignoreHttpStatusErrors)
      throw new Error(`Request failed with status code ${response.status}`);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body:
        encoding === "stream"
          ? Readable.from(Buffer.from(await response.arrayBuffer()))
          : await readBody(response),
    };
  }
}

function toTexts(values: IDataObject = {}): Record<string, string> {
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Adds the defaults of the parameters that are shown with these. */
function withDefaults(
  properties: readonly INodeProperties[],
  parameters: IDataObject,
): IDataObject {
  const all = { ...parameters };
  for (const { name, default: value, displayOptions } of properties) {
    const isShown = Object.entries(displayOptions?.show ?? {}).every(
      ([other, values]) => values.some((one) => one === all[other]),
    );
    if (isShown) all[name] ??= value;
  }
  return all;
}

/** A parameter by its path. What was chosen from a list is its value. */
function read(parameters: IDataObject, path: string): unknown {
  let value: unknown = parameters;
  for (const name of path.split("."))
    value = isRecord(value) ? value[name] : undefined;
  return isRecord(value) && "__rl" in value ? value["value"] : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** A text that begins with `=` is an expression; so are those within objects. */
function evaluate(value: unknown, variables: object): unknown {
  if (Array.isArray(value)) return value.map((one) => evaluate(one, variables));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        evaluate(one, variables),
      ]),
    );
  if (typeof value !== "string" || !value.startsWith("=")) return value;
  const [, code = ""] = /^=\{\{(.*)\}\}$/s.exec(value) ?? [];
  return runInContext(`(${code})`, createContext({ ...variables }));
}
