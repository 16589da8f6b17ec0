import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { useService } from "../support/service.js";

describe("the JSON Schema of a definition", () => {
  const service = useService();

  it("is served without a key", async () => {
    const response = await fetch(`${service.url}/schemas/definition-v1.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.contain("application/json");
    const schema = z
      .object({ $id: z.string(), $schema: z.string(), $defs: z.json() })
      .parse(await response.json());
    expect(schema.$id).to.equal(response.url);
    expect(schema.$schema).to.contain("2020-12");
  });
});
