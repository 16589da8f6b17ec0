import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { ApiKeys, operator, CallerCache } from "../../core/accounts/index.js";
import {
  expectSuccess,
  folder,
  installGenerators,
  packages,
  run,
  tsx,
} from "../support/generators.js";
import { useService } from "../support/service.js";
import { newOrganization } from "../support/store.js";

// Generators make clients from the document of the running service; programs in strict TypeScript use them without a
// cast.

const generated = join(folder, "generated");

describe("clients generated from the OpenAPI document", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  let keys: string[];

  before(async () => {
    const apiKeys = new ApiKeys(
      service.store,
      service.container.resolve(CallerCache),
    );
    const organizationId = await newOrganization(service.store, "enterprise");
    const newKey = async (requestsPerMinute?: number) =>
      (
        await apiKeys.create(
          organizationId,
          {
            scopes: ["all"],
            userId: undefined,
            ...(requestsPerMinute !== undefined && { requestsPerMinute }),
          },
          operator,
        )
      ).key;
    keys = [await newKey(), await newKey(2)];
    await installGenerators();
    await rm(generated, { recursive: true, force: true });
    await mkdir(generated);
    const document = await fetch(`${service.url}/openapi.json`);
    await writeFile(join(generated, "openapi.json"), await document.text());
  });

  it("come from a document without a lint problem", async () => {
    expect(await expectSuccess(run("--import", tsx, "lint.ts"))).to.equal("");
  });

  it("are generated without a warning", async () => {
    const types = await expectSuccess(
      run(
        join(packages, "openapi-typescript", "bin", "cli.js"),
        "generated/openapi.json",
        "-o",
        "generated/schema.ts",
      ),
    );
    expect(types).to.not.match(/warn/i);
    const client = await expectSuccess(
      run(
        join(packages, "@hey-api", "openapi-ts", "bin", "run.js"),
        "--input",
        "./generated/openapi.json",
        "--output",
        "./generated/client",
        "--no-log-file",
      ),
    );
    expect(client).to.not.match(/warn/i);
  });

  it("compile in strict mode, with programs that use them without a cast", async () => {
    await expectSuccess(
      run(join(packages, "typescript", "bin", "tsc"), "-p", "."),
    );
  });

  for (const program of ["openapi-typescript", "hey-api"])
    it(`create a template, export, list, read a 429 and handle events: ${program}`, async () => {
      const out = await expectSuccess(
        run("--import", tsx, `${program}.ts`, service.url, ...keys),
      );
      expect(out).to.equal("html; 1 of 1\n");
    });
});
