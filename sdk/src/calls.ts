// One call for every operation of the API, with the types of its OpenAPI document.
import { endpoints, type components, type operations } from "./api.js";
import type { ApiRequest, RequestOptions, Transport } from "./http.js";

export type Schemas = components["schemas"];
/** The operations by their ids in the OpenAPI document. */
export type OperationId = keyof operations & keyof typeof endpoints;

type Json<Message> = Message extends {
  content: { "application/json": infer Value };
}
  ? Value
  : never;
type Responses<Id extends OperationId> = operations[Id]["responses"];
type Inputs<Id extends OperationId> = operations[Id]["parameters"];

/** The JSON of a successful response. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Json<Responses<Id>[Status]>;
}[keyof Responses<Id>];
/** The JSON body of a request. */
export type Body<Id extends OperationId> = operations[Id] extends {
  requestBody?: infer Request;
}
  ? Json<NonNullable<Request>>
  : never;
export type Query<Id extends OperationId> = NonNullable<
  Inputs<Id> extends { query?: infer Values } ? Values : never
>;

/** The ids in the path, in its order; then the body or the query; then settings of the call. */
type Arguments<Id extends OperationId> = [
  ...PathArguments<(typeof endpoints)[Id]["path"]>,
  ...([Body<Id>] extends [never]
    ? [Query<Id>] extends [never]
      ? []
      : Partial<Query<Id>> extends Query<Id>
        ? [query?: Query<Id> | undefined]
        : [query: Query<Id>]
    : operations[Id] extends { requestBody: unknown }
      ? [body: Body<Id>]
      : [body?: Body<Id> | undefined]),
  options?: RequestOptions | undefined,
];
type PathArguments<Path extends string> =
  Path extends `${string}{${string}}${infer Rest}`
    ? [id: string, ...PathArguments<Rest>]
    : [];

/** A function for an operation. */
export type Call<Id extends OperationId> = (
  ...args: Arguments<Id>
) => Promise<Answer<Id>>;

/** What a list has on its pages. */
export type ListItem<Id extends OperationId> =
  Answer<Id> extends { data: (infer Item)[] } ? Item : never;

interface Page<Item> {
  data: Item[];
  pagination: { total: number };
}

/** A response with its headers. */
export interface Reply<T> {
  data: T;
  headers: Headers;
}

export class Api {
  constructor(readonly transport: Transport) {}

  /** The function for an operation. */
  bind<Id extends OperationId>(id: Id): Call<Id> {
    const { path, takesBody, takesQuery } = getEndpoint(id);
    const count = path.split("{").length - 1;
    return async (...args) => {
      const ids = args.slice(0, count).map(String);
      // By the types of the arguments, these are objects.
      const rest: any[] = args.slice(count); // oxlint-disable-line typescript/no-explicit-any
      const input = takesBody || takesQuery ? rest.shift() : undefined;
      const parts = takesBody ? { body: input } : { query: input };
      const { data } = await this.call(id, { ids, ...parts }, rest[0] ?? {});
      return data;
    };
  }

  /** The function that goes through all pages of a list. */
  bindAll<Id extends OperationId>(
    id: Id,
  ): (
    query?: Omit<Query<Id>, "page" | "pageSize">,
    options?: RequestOptions,
  ) => AsyncGenerator<ListItem<Id>, void, undefined> {
    const call = this.call.bind(this);
    return async function* (query, options = {}) {
      for (let page = 1; ; page += 1) {
        const { data } = await call(
          id,
          { ids: [], query: { ...query, page, pageSize: 100 } },
          options,
        );
        // By the type of the id, which has pages.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const { data: items, pagination } = data as Page<ListItem<Id>>;
        yield* items;
        if (items.length === 0 || page * 100 >= pagination.total) return;
      }
    };
  }

  /** The same for a list that is read from item to item, so that what comes meanwhile moves nothing to another page. */
  bindAllAfter(
    id: "listDocuments",
  ): (
    query?: Omit<Query<typeof id>, "page" | "pageSize" | "after">,
    options?: RequestOptions,
  ) => AsyncGenerator<ListItem<typeof id>, void, undefined> {
    const call = this.call.bind(this);
    return async function* (query, options = {}) {
      let after: string | null = "";
      while (after !== null) {
        const { data }: Reply<Answer<typeof id>> = await call(
          id,
          { query: { ...query, after, pageSize: 100 } },
          options,
        );
        yield* data.data;
        after = data.pagination.next ?? null;
      }
    };
  }

  /** Calls an operation and reads its JSON. */
  async call<Id extends OperationId>(
    id: Id,
    { body, content = toJsonContent(body), ...input }: CallInput,
    options: RequestOptions,
  ): Promise<Reply<Answer<Id>>> {
    const request = this.request(id, input, options);
    const headers = { ...request.headers, ...content.headers };
    return this.transport.send(
      { ...request, ...content, headers },
      async (response) => {
        const data: Answer<Id> = JSON.parse(await response.text());
        return { data, headers: response.headers };
      },
      options,
    );
  }

  /** A request without a body, with a key of its own where it takes one. */
  request(
    id: OperationId,
    { ids = [], query }: Pick<CallInput, "ids" | "query">,
    { idempotencyKey = crypto.randomUUID() }: RequestOptions = {},
  ): ApiRequest {
    const { method, path, takesKey } = getEndpoint(id);
    const rest = [...ids];
    return {
      method,
      path: path.replaceAll(/\{\w+\}/g, () =>
        encodeURIComponent(rest.shift() ?? ""),
      ),
      query,
      headers: takesKey ? { "idempotency-key": idempotencyKey } : {},
      isSafe: method === "GET" || takesKey,
    };
  }
}

type Content = Pick<ApiRequest, "headers" | "body" | "isSentOnce">;

interface CallInput {
  /** In the order of the path. */
  ids?: readonly string[];
  query?: object | undefined;
  /** A value that is sent as JSON. */
  body?: unknown;
  /** Another body. */
  content?: Content;
}

function toJsonContent(body: unknown): Content {
  if (body === undefined) return {};
  const text = JSON.stringify(body);
  return {
    headers: { "content-type": "application/json" },
    body: () => text,
  };
}

interface Endpoint {
  method: string;
  path: string;
  takesBody: boolean;
  takesQuery: boolean;
  /** An Idempotency-Key. */
  takesKey: boolean;
}

function getEndpoint(id: OperationId): Endpoint {
  const endpoint: Partial<Endpoint> & Pick<Endpoint, "method" | "path"> =
    endpoints[id];
  return { takesBody: false, takesQuery: false, takesKey: false, ...endpoint };
}
