import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../../config/index.js";
import { newCaller } from "../../support/caller.js";
import { PatientTool } from "../../support/patient-tool.js";
import { useService } from "../../support/service.js";
import { SseStream } from "../../support/sse-stream.js";
import { postMessage, rpc } from "../../support/tool-requests.js";

const mcp = { ...parseConfig({}).mcp, idleMs: 300 };

describe("a session that nobody uses", () => {
  const waiting = new PatientTool();
  const service = useService({
    config: { mcp },
    replace: (container) => waiting.replaceTools(container),
  });

  it("ends, but not before its calls do", async () => {
    const headers = { "x-api-key": (await newCaller(service)).key };
    const [idle, busy] = await Promise.all([
      SseStream.open(service.url, headers),
      SseStream.open(service.url, headers),
    ]);
    const called = waiting.called();
    const call = rpc("tools/call", { name: "wait" });
    await postMessage(await busy.endpoint(), headers, call);
    await called;
    expect(await idle.over()).not.to.contain("event: message");
    waiting.letGo();
    expect(await busy.over()).to.contain("waited");
  });
});
