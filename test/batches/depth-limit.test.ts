import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newBatchCaller } from "../support/batches.js";
import { readError, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

describe("a batch whose JSON is nested too deeply", () => {
  const service = useService({ role: "serve" });
  let caller: TestCaller;
  before(async () => {
    caller = await newBatchCaller(service);
  });

  const deep = `${"[".repeat(301)}${"]".repeat(301)}`;
  const bodies: [where: string, body: string][] = [
    ["in an item", `{"items":[{"data":{"a":${deep}}}]}`],
    ["beside the items", `{"items":[{}],"renderOptions":${deep}}`],
    ["in an unclosed array", "[".repeat(8_000_000)],
  ];
  for (const [where, body] of bodies)
    it(`${where} is rejected with 400 and the reason`, async () => {
      const response = await fetch(`${service.url}/api/export/batch`, {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
        },
        body,
      });
      expect(response.status).to.equal(400);
      expect(await readError(response)).to.contain("deeper than 300 levels");
    });
});
