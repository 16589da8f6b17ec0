import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller } from "../../support/caller.js";
import { freePort } from "../../support/free-port.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { postAs } from "../../support/tool-client.js";

describe("a tool server that listens on all interfaces", () => {
  const folder = suiteFolder();

  for (const [description, baseUrl, status] of [
    ["without a base URL", null, 200],
    ["with a public base URL", "https://docs.example.com", 403],
  ] as const)
    it(`answers requests for localhost with ${status} ${description}`, async () => {
      const port = await freePort();
      const config = { port, host: "0.0.0.0", baseUrl };
      const service = new TestService(folder, { config });
      await service.start();
      try {
        const { key } = await newCaller(service);
        const answer = await postAs(`http://127.0.0.1:${port}`, {
          "x-api-key": key,
          host: "localhost:8080",
        });
        expect(answer.status).to.equal(status);
      } finally {
        await service.stop();
      }
    });
});
