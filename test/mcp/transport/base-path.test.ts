import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import { freePort } from "../../support/free-port.js";
import { TestService } from "../../support/service.js";
import { suiteFolder } from "../../support/store-folder.js";
import { officialClients, postMessage } from "../../support/tool-client.js";

const { mcp } = parseConfig({});

for (const [description, basePath, mcpPath, ...paths] of [
  ["a base URL with a path", "/platen", null, "/platen", ""],
  ["a PLATEN_MCP_URL with a path", "", "/assist", "/assist", ""],
  ["both with paths", "/platen", "/platen/ai", "/platen/ai", "/platen"],
] as const)
  describe(`the tool server under ${description}`, () => {
    const folder = suiteFolder();
    let service: TestService;
    let origin = "";
    let key = "";

    before(async () => {
      const port = await freePort();
      origin = `http://127.0.0.1:${port}`;
      const url = mcpPath === null ? null : origin + mcpPath;
      const baseUrl = origin + basePath;
      const config = { port, baseUrl, mcp: { ...mcp, url } };
      service = new TestService(folder, { config });
      await service.start();
      ({ key } = await newCaller(service));
    });
    after(() => service.stop());

    it("accepts a slash at the end of its own path only", async () => {
      const headers = { "x-api-key": key };
      const prefix = origin + paths[0];
      const answer = await postMessage(`${prefix}/mcp/`, headers);
      expect(answer.status).to.equal(200);
      for (const other of ["/mcp//", "/mcpx", "/x/mcp", "/MCP"]) {
        const elsewhere = await postMessage(prefix + other, headers);
        expect(elsewhere.status).to.equal(404);
      }
    });

    for (const path of paths)
      for (const [name, connect] of officialClients)
        it(`answers ${name} below "${path}"`, async () => {
          const client = await connect(origin + path, {
            headers: { "x-api-key": key },
          });
          expect((await client.listTools()).tools).to.have.length.above(2);
          await client.close();
        });
  });
