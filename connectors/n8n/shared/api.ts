import { createHash, randomUUID } from "node:crypto";
import {
  type IBinaryData,
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type JsonObject,
  NodeApiError,
} from "n8n-workflow";
import { endpoints } from "../../../sdk/src/api.js";
import type {
  Answer,
  Body,
  OperationId,
  Query,
} from "../../../sdk/src/calls.js";

/** What n8n hands to the functions of a node. */
type Context = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions;

export const CREDENTIALS = "platenApi";

interface CallOptions<Id extends OperationId> {
  /** Those of the path, in its order. */
  ids?: readonly string[];
  query?: Query<Id> & IDataObject;
  body?: Body<Id> & IDataObject;
  idempotencyKey?: string;
  /** The item that errors belong to. */
  itemIndex?: number;
}

/** Their names are in lower case. */
type Headers = Record<string, string | undefined>;

interface Reply<T> {
  data: T;
  headers: Headers;
}

/**
 * Calls an operation of the API by its id in the OpenAPI document.
 * @throws NodeApiError with the message of the service
 */
export async function call<Id extends OperationId>(
  context: Context,
  id: Id,
  options: CallOptions<Id> = {},
): Promise<Reply<Answer<Id>>> {
  return read(context, await send(context, id, options), options.itemIndex);
}

/** The same, or null if there is no such resource. */
export async function callIfExists<Id extends OperationId>(
  context: Context,
  id: Id,
  options: CallOptions<Id>,
): Promise<Reply<Answer<Id>> | null> {
  const response = await send(context, id, options);
  return response.statusCode === 404 ? null : read(context, response);
}

interface FullResponse {
  statusCode: number;
  headers: Headers;
  body: unknown;
}

async function send<Id extends OperationId>(
  context: Context,
  id: Id,
  { ids = [], query, body, idempotencyKey, itemIndex }: CallOptions<Id>,
): Promise<FullResponse> {
  const { method, path } = endpoints[id];
  const rest = [...ids];
  const request: IHttpRequestOptions = {
    // By the OpenAPI document.
    method: method as IHttpRequestMethods,
    url:
      (await getBaseUrl(context)) +
      path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? "")),
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  };
  if (query) request.qs = query;
  if (body) request.body = body;
  if (idempotencyKey) request.headers = { "idempotency-key": idempotencyKey };
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(
      context,
      CREDENTIALS,
      request,
    )) as FullResponse;
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, {
      ...(itemIndex !== undefined && { itemIndex }),
    });
  }
}

function read<T>(
  context: Context,
  response: FullResponse,
  itemIndex?: number,
): Reply<T> {
  if (response.statusCode < 300 && isObject(response.body))
    return { data: response.body as T, headers: response.headers };
  throw toApiError(context, response, itemIndex);
}

function toApiError(
  context: Context,
  { statusCode, headers, body }: FullResponse,
  itemIndex: number | undefined,
): NodeApiError {
  const message =
    isObject(body) && typeof body["error"] === "string"
      ? body["error"]
      : `The address did not answer as Platen does (status ${statusCode}). Check Base URL in the credential.`;
  const documentId = headers["x-document-id"];
  const description =
    statusCode === 401
      ? "Check API Key in the credential."
      : statusCode === 429 || statusCode === 503
        ? "Switch on Retry On Fail in the settings of this node: a repeated request creates nothing twice."
        : documentId
          ? `The failed document is ${documentId}.`
          : undefined;
  return new NodeApiError(
    context.getNode(),
    { message, statusCode },
    {
      message,
      httpCode: String(statusCode),
      ...(description && { description }),
      ...(itemIndex !== undefined && { itemIndex }),
    },
  );
}

/** Where the service is, without a slash at the end. */
export async function getBaseUrl(context: Context): Promise<string> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>(
    CREDENTIALS,
  );
  return baseUrl.replace(/\/+$/, "");
}

/**
 * The same for each attempt at an item, and another for each item, run and execution: so a retry gets the answer of the
 * first attempt instead of a second document.
 */
export function toIdempotencyKey(
  context: IExecuteFunctions,
  itemIndex: number,
): string {
  const executionId = context.getExecutionId();
  if (!executionId) return randomUUID();
  const place = [
    // A copy of the database elsewhere counts its executions from the same number.
    context.getInstanceBaseUrl(),
    context.getWorkflow().id,
    executionId,
    context.getNode().id,
    context.evaluateExpression("{{ $runIndex }}", itemIndex),
    itemIndex,
  ];
  return createHash("sha256").update(JSON.stringify(place)).digest("hex");
}

interface FileLink {
  label: string;
  url: string;
  mimeType: string;
}

/**
 * Downloads the files of a document.
 * @param field the binary field of a single file; several are in `<field>_<label>`
 */
export async function downloadFiles(
  context: IExecuteFunctions,
  files: readonly FileLink[],
  field: string,
  itemIndex: number,
): Promise<Record<string, IBinaryData>> {
  const baseUrl = await getBaseUrl(context);
  const binary: Record<string, IBinaryData> = {};
  for (const file of files) {
    const name = files.length === 1 ? field : `${field}_${file.label}`;
    binary[name] = await downloadFile(context, baseUrl, file, itemIndex);
  }
  return binary;
}

async function downloadFile(
  context: IExecuteFunctions,
  baseUrl: string,
  { url, mimeType }: FileLink,
  itemIndex: number,
): Promise<IBinaryData> {
  // By the address in the credential, which n8n reaches even where it does not reach the public one. Links need no key.
  const address = baseUrl + url.slice(url.lastIndexOf("/files/"));
  const response = await download(context, address, itemIndex);
  return context.helpers.prepareBinaryData(
    response.body,
    readFileName(response.headers["content-disposition"]) ??
      decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? ""),
    mimeType,
  );
}

interface FileResponse {
  headers: Headers;
  body: Parameters<IExecuteFunctions["helpers"]["prepareBinaryData"]>[0];
}

async function download(
  context: IExecuteFunctions,
  url: string,
  itemIndex: number,
): Promise<FileResponse> {
  try {
    return (await context.helpers.httpRequest({
      method: "GET",
      url,
      encoding: "stream",
      returnFullResponse: true,
    })) as FileResponse;
  } catch (error) {
    throw new NodeApiError(context.getNode(), error as JsonObject, {
      message: "The file could not be downloaded",
      description:
        "Links to files work until the document expires, by default for 24 hours.",
      itemIndex,
    });
  }
}

function readFileName(text = ""): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(text) ?? [];
  if (encoded) return decodeURIComponent(encoded);
  const [, quoted, plain] = /filename=(?:"([^"]*)"|([^;]+))/i.exec(text) ?? [];
  return quoted ?? plain?.trim();
}

function isObject(value: unknown): value is IDataObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
