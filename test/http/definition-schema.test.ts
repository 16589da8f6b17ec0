import { expect } from "chai";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";

describe("the JSON Schema of a definition", () => {
  const service = useService();

  it("is served without a key", async () => {
    const response = await fetch(`${service.url}/schemas/definition-v1.json`);
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.contain("application/json");
    expect(await response.text())
      .to.contain('"components"')
      .and.contain('"schema"');
  });
});
