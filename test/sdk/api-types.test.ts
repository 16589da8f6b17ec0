import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import {
  expectSuccess,
  installGenerators,
  packages,
  run,
} from "../support/generators.js";
import { useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";

// UPDATE_GOLDEN=1 npm test -- test/sdk/api-types.test.ts writes sdk/src/api.ts anew.

const file = "sdk/src/api.ts";

const operationSchema = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ in: z.string().optional() })).optional(),
  requestBody: z.unknown().optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.unknown().optional() }),
  ),
});
type Operation = z.output<typeof operationSchema>;
const documentSchema = z.object({
  openapi: z.string(),
  info: z.unknown(),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.unknown() }),
});

/** What every request and every error has in common is written in the client by hand. */
function simplify({ parameters, responses, ...rest }: Operation) {
  return {
    ...rest,
    ...(parameters && {
      parameters: parameters.filter((one) => !takesKey([one])),
    }),
    responses: Object.fromEntries(
      Object.entries(responses)
        .filter(([status]) => status.startsWith("2"))
        .map(([status, { description, content }]) => [
          status,
          { description, content },
        ]),
    ),
  };
}

function takesKey(parameters: Operation["parameters"] = []): boolean {
  return parameters.some(
    ({ $ref }) => $ref === "#/components/parameters/IdempotencyKey",
  );
}

function describeEndpoint(method: string, path: string, one: Operation) {
  const hasQuery = one.parameters?.some(
    (parameter) => parameter.in === "query",
  );
  return {
    method: method.toUpperCase(),
    path,
    ...(one.requestBody !== undefined && { takesBody: true }),
    ...(hasQuery && { takesQuery: true }),
    ...(takesKey(one.parameters) && { takesKey: true }),
  };
}

describe(file, () => {
  const service = useService();
  const folder = suiteFolder();

  before(installGenerators);

  it("has the types and the endpoints of the OpenAPI document", async () => {
    const response = await fetch(`${service.url}/openapi.json`);
    const document = documentSchema.parse(await response.json());
    const entries = Object.entries(document.paths).map(
      ([path, operations]): [string, object] => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, one]) => [
            method,
            simplify(one),
          ]),
        ),
      ],
    );
    await mkdir(folder, { recursive: true });
    const [input, output] = ["openapi.json", "api.ts"].map((name) =>
      join(folder, name),
    );
    const simple = {
      openapi: document.openapi,
      info: document.info,
      paths: Object.fromEntries(entries),
      components: { schemas: document.components.schemas },
    };
    await writeFile(input ?? "", JSON.stringify(simple));
    await expectSuccess(
      run(
        join(packages, "openapi-typescript", "bin", "cli.js"),
        input ?? "",
        "-o",
        output ?? "",
      ),
    );
    const endpoints = Object.entries(document.paths).flatMap(
      ([path, operations]) =>
        Object.entries(operations).map(([method, one]) => {
          const endpoint = describeEndpoint(method, path, one);
          return `  ${one.operationId}: ${JSON.stringify(endpoint)},\n`;
        }),
    );
    const types = await readFile(output ?? "", "utf8");
    const expected = `${types}
/** How each operation is called. */
export const endpoints = {
${endpoints.join("")}} as const;
`;
    if (process.env["UPDATE_GOLDEN"]) await writeFile(file, expected);
    expect(
      expected,
      `${file} is not that of the API. UPDATE_GOLDEN=1 npm test -- test/sdk/api-types.test.ts writes it anew.`,
    ).to.equal(await readFile(file, "utf8"));
  });
});
