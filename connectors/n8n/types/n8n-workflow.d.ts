// The part of the package `n8n-workflow` that the nodes use. The package itself brings 140 MB of others, so only
// `npm run test:n8n` has it, which compiles the nodes with its own types as well.

import type {
  IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from "node:http";
import type { Readable } from "node:stream";

export type JsonObject = Record<string, unknown>;
export type IDataObject = Record<
  string,
  string | number | boolean | object | null | undefined
>;

export interface INode {
  id: string;
  name: string;
  type: string;
}

export interface IBinaryData {
  data: string;
  mimeType: string;
  fileName?: string;
}

export interface INodeExecutionData {
  json: IDataObject;
  binary?: Record<string, IBinaryData>;
  error?: NodeApiError | NodeOperationError;
  pairedItem?: { item: number } | { item: number }[] | number;
}

export type IHttpRequestMethods = "GET" | "POST" | "PATCH" | "DELETE";

export interface IHttpRequestOptions {
  url: string;
  baseURL?: string;
  method?: IHttpRequestMethods;
  headers?: IDataObject;
  qs?: IDataObject;
  body?: IDataObject;
  json?: boolean;
  encoding?: "stream";
  returnFullResponse?: boolean;
  ignoreHttpStatusErrors?: boolean;
}

export type Icon =
  `file:${string}` | { light: `file:${string}`; dark: `file:${string}` };

export interface INodePropertyOptions {
  name: string;
  value: string | number | boolean;
  description?: string;
  action?: string;
}

export interface INodePropertyMode {
  displayName: string;
  name: string;
  type: "string" | "list";
  placeholder?: string;
  typeOptions?: { searchListMethod?: string; searchable?: boolean };
}

export interface INodeProperties {
  displayName: string;
  name: string;
  type:
    | "boolean"
    | "collection"
    | "dateTime"
    | "json"
    | "multiOptions"
    | "notice"
    | "number"
    | "options"
    | "resourceLocator"
    | "resourceMapper"
    | "string";
  default: string | number | boolean | string[] | IDataObject;
  description?: string;
  hint?: string;
  placeholder?: string;
  required?: boolean;
  noDataExpression?: boolean;
  displayOptions?: { show?: Record<string, (string | boolean)[]> };
  options?: (INodePropertyOptions | INodeProperties)[];
  modes?: INodePropertyMode[];
  typeOptions?: {
    password?: boolean;
    minValue?: number;
    maxValue?: number;
    loadOptionsDependsOn?: string[];
    resourceMapper?: {
      resourceMapperMethod: string;
      mode: "add" | "map";
      valuesLabel?: string;
      fieldWords?: { singular: string; plural: string };
      addAllFields?: boolean;
      supportAutoMap?: boolean;
    };
  };
}

export interface INodeTypeDescription {
  displayName: string;
  name: string;
  icon: Icon;
  group: ("input" | "output" | "transform" | "trigger")[];
  version: number;
  subtitle: string;
  description: string;
  defaults: { name: string };
  inputs: "main"[];
  outputs: "main"[];
  usableAsTool?: true;
  credentials: { name: string; required: boolean }[];
  webhooks?: {
    name: "default";
    httpMethod: "POST";
    responseMode: "onReceived";
    path: string;
  }[];
  properties: INodeProperties[];
}

export interface IAuthenticateGeneric {
  type: "generic";
  properties: { headers: Record<string, string> };
}

export interface ICredentialTestRequest {
  request: { baseURL: string; url: string; qs?: IDataObject };
  rules?: {
    type: "responseCode";
    properties: { value: number; message: string };
  }[];
}

export interface ICredentialType {
  name: string;
  displayName: string;
  icon?: Icon;
  properties: INodeProperties[];
  authenticate?: IAuthenticateGeneric;
  test?: ICredentialTestRequest;
}

export interface Functions {
  getNode(): INode;
  getCredentials<T extends object>(type: string): Promise<T>;
}

export interface RequestHelpers {
  httpRequest(options: IHttpRequestOptions): Promise<unknown>;
  httpRequestWithAuthentication(
    this: Functions,
    credentialsType: string,
    options: IHttpRequestOptions,
  ): Promise<unknown>;
}

export interface IExecuteFunctions extends Functions {
  getInputData(): INodeExecutionData[];
  getNodeParameter(
    name: string,
    itemIndex: number,
    fallback?: unknown,
    options?: { extractValue?: boolean },
  ): unknown;
  getExecutionId(): string;
  getInstanceBaseUrl(): string;
  getWorkflow(): { id?: string };
  evaluateExpression(expression: string, itemIndex: number): unknown;
  continueOnFail(): boolean;
  getExecutionCancelSignal(): AbortSignal | undefined;
  helpers: RequestHelpers & {
    prepareBinaryData(
      content: Buffer | Readable,
      fileName?: string,
      mimeType?: string,
    ): Promise<IBinaryData>;
  };
}

export interface ILoadOptionsFunctions extends Functions {
  getNodeParameter(
    name: string,
    fallback?: unknown,
    options?: { extractValue?: boolean },
  ): unknown;
  helpers: RequestHelpers;
}

export interface IHookFunctions extends Functions {
  getNodeParameter(name: string): unknown;
  getNodeWebhookUrl(name: "default"): string | undefined;
  getWorkflow(): { id?: string; name?: string };
  getWorkflowStaticData(type: "node"): IDataObject;
  helpers: RequestHelpers;
}

export interface IWebhookFunctions extends Functions {
  getNodeParameter(name: string): unknown;
  getRequestObject(): IncomingMessage & {
    rawBody: Buffer;
    readRawBody(): Promise<void>;
  };
  getResponseObject(): ServerResponse;
  getHeaderData(): IncomingHttpHeaders;
  getWorkflowStaticData(type: "node"): IDataObject;
}

export interface IWebhookResponseData {
  workflowData?: INodeExecutionData[][];
  noWebhookResponse?: boolean;
}

export interface INodeListSearchResult {
  results: { name: string; value: string; url?: string }[];
  paginationToken?: string;
}

export interface ResourceMapperFields {
  fields: {
    id: string;
    displayName: string;
    required: boolean;
    defaultMatch: boolean;
    display: boolean;
    type?: "string" | "number" | "boolean" | "dateTime" | "array" | "object";
  }[];
  emptyFieldsNotice?: string;
}

export interface INodeType {
  description: INodeTypeDescription;
  methods?: {
    listSearch?: Record<
      string,
      (
        this: ILoadOptionsFunctions,
        filter?: string,
        paginationToken?: string,
      ) => Promise<INodeListSearchResult>
    >;
    resourceMapping?: Record<
      string,
      (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>
    >;
  };
  webhookMethods?: Record<
    "default",
    Record<
      "checkExists" | "create" | "delete",
      (this: IHookFunctions) => Promise<boolean>
    >
  >;
  execute?(this: IExecuteFunctions): Promise<INodeExecutionData[][]>;
  webhook?(this: IWebhookFunctions): Promise<IWebhookResponseData>;
}

export class NodeApiError extends Error {
  constructor(
    node: INode,
    response: JsonObject,
    options?: {
      message?: string;
      description?: string;
      httpCode?: string;
      itemIndex?: number;
    },
  );
  httpCode: string | null;
}

export class NodeOperationError extends Error {
  constructor(
    node: INode,
    error: Error | string,
    options?: { description?: string; itemIndex?: number },
  );
}

export const NodeConnectionTypes: { readonly Main: "main" };

export function sleep(milliseconds: number): Promise<void>;
