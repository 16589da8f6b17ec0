import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

const parameterSchema = z.looseObject({
  in: z.enum(["path", "query", "header"]),
  name: z.string(),
  required: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
});
type Parameter = z.output<typeof parameterSchema>;

const content = z.record(
  z.string(),
  z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }),
);
const operationSchema = z.looseObject({
  operationId: z.string(),
  description: z.string(),
  parameters: z
    .array(z.union([parameterSchema, z.strictObject({ $ref: z.string() })]))
    .default([]),
  requestBody: z
    .looseObject({ required: z.boolean().optional(), content })
    .optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ content: content.optional() }),
  ),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    parameters: z.record(z.string(), parameterSchema),
  }),
});
type OpenApi = z.output<typeof documentSchema>;

export interface ApiRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
}

/** An operation, and the values that a path has for its parameters. */
interface Found {
  operation: z.output<typeof operationSchema>;
  parameters: Parameter[];
  values: ReadonlyMap<string, string>;
}

/** The OpenAPI document of a service, which requests are checked against. */
export class OpenApiDocument {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // Formats are annotations in JSON Schema 2020-12.
    validateFormats: false,
  });

  constructor(readonly document: OpenApi) {
    this.#ajv.addSchema(document, "openapi");
  }

  static async of(service: { url: string }): Promise<OpenApiDocument> {
    const response = await fetch(`${service.url}/openapi.json`);
    return new OpenApiDocument(documentSchema.parse(await response.json()));
  }

  /** @returns the id of the operation @throws Error with everything that the document does not allow */
  check(request: ApiRequest): string {
    const { pathname, searchParams } = new URL(request.path, "http://service");
    const found = this.#find(request.method, pathname);
    const problems = [
      ...found.parameters.flatMap((one) =>
        this.#checkParameter(one, found.values, searchParams, request.headers),
      ),
      ...[...searchParams.keys()]
        .filter((name) => !has(found.parameters, "query", name))
        .map((name) => `unknown query parameter ${name}`),
      ...this.#checkHeaders(found, request.headers),
      ...this.#checkBody(found, request),
    ];
    if (problems.length === 0) return found.operation.operationId;
    throw new Error(
      `${request.method} ${request.path}: ${problems.join("; ")}`,
    );
  }

  #find(method: string, pathname: string): Found {
    for (const [template, operations] of Object.entries(this.document.paths)) {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(
        ([, name = ""]) => name,
      );
      const pattern = template.replaceAll(/\{\w+\}/g, "([^/]+)");
      const match = new RegExp(`^${pattern}$`).exec(pathname);
      const operation = operations[method.toLowerCase()];
      if (!match || !operation) continue;
      const values = names.map(
        (name, index) => [name, match[index + 1] ?? ""] as const,
      );
      return {
        operation,
        parameters: operation.parameters.map((one) => this.#resolve(one)),
        values: new Map(values),
      };
    }
    throw new Error(`no operation ${method} ${pathname}`);
  }

  #resolve(parameter: Parameter | { $ref: string }): Parameter {
    const { $ref } = parameter;
    if (typeof $ref !== "string") return parameterSchema.parse(parameter);
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return parameterSchema.parse(this.document.components.parameters[name]);
  }

  #checkParameter(
    { in: place, name, required, schema }: Parameter,
    values: ReadonlyMap<string, string>,
    query: URLSearchParams,
    headers: ApiRequest["headers"],
  ): string[] {
    const text =
      place === "path"
        ? values.get(name)
        : place === "query"
          ? query.get(name)
          : getHeader(headers, name);
    if (text === undefined || text === null)
      return required ? [`${place} parameter ${name} is missing`] : [];
    const isText = schema["type"] === "string" || schema["type"] === undefined;
    return this.#validate(schema, isText ? text : JSON.parse(text), name);
  }

  #checkHeaders(
    { operation, parameters }: Found,
    headers: ApiRequest["headers"],
  ): string[] {
    return Object.entries(headers).flatMap(([header, value]) => {
      const name = header.toLowerCase();
      if (name === "x-api-key" || has(parameters, "header", name)) return [];
      const { requestBody, responses, description } = operation;
      const types =
        name === "content-type"
          ? Object.keys(requestBody?.content ?? {})
          : name === "accept"
            ? Object.values(responses).flatMap((one) =>
                Object.keys(one.content ?? {}),
              )
            : [];
      // Another type than JSON is offered in the description, since generators expect one type.
      const isDescribed = description.includes(`\`Accept: ${value}\``);
      const isOffered = name === "accept" && isDescribed;
      return types.includes(value) || isOffered
        ? []
        : [`header ${name}: ${value}`];
    });
  }

  #checkBody({ operation }: Found, { headers, body }: ApiRequest): string[] {
    const { requestBody } = operation;
    if (body === undefined)
      return requestBody?.required ? ["the body is missing"] : [];
    const type = getHeader(headers, "content-type") ?? "";
    const schema = requestBody?.content[type]?.schema;
    return schema
      ? this.#validate(schema, body, "body")
      : [`a body of the type ${type || "unknown"}`];
  }

  #validate(schema: object, value: unknown, name: string): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
    const own: object = JSON.parse(text);
    const validate = this.#ajv.compile(own);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }
}

function has(
  parameters: readonly Parameter[],
  place: Parameter["in"],
  name: string,
): boolean {
  return parameters.some(
    (one) => one.in === place && one.name.toLowerCase() === name.toLowerCase(),
  );
}

function getHeader(
  headers: ApiRequest["headers"],
  name: string,
): string | undefined {
  const found = Object.entries(headers).find(
    ([key]) => key.toLowerCase() === name.toLowerCase(),
  );
  return found?.[1];
}
