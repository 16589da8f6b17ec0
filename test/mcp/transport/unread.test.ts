import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { contentTool, textBlock } from "../../../core/mcp/index.js";
import { TOOLS } from "../../../core/tokens.js";
import { errorOf, newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { postMessage, rpc } from "../../support/tool-requests.js";

const talkative = contentTool({
  name: "talk",
  title: "Talk",
  description: "Says much.",
  scope: "templates:read",
  input: z.strictObject({}),
  annotations: { readOnlyHint: true },
  run: async () => [textBlock("x".repeat(2_000_000))],
});

describe("a session whose answers nobody reads", () => {
  const service = useService({
    replace: (container) =>
      container.register(TOOLS, { useValue: [talkative] }),
  });

  it("gets no more of them", async () => {
    const { key } = await newCaller(service);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /sse HTTP/1.1\r\nhost: ${hostname}\r\n`);
    socket.write(`x-api-key: ${key}\r\n\r\n`);
    let head = "";
    while (!head.includes("sessionId=")) head += await once(socket, "data");
    socket.pause();
    const [, path = ""] = /data: (\S+)/.exec(head) ?? [];
    const send = (id: number) =>
      postMessage(
        service.url + path,
        { "x-api-key": key },
        rpc("tools/call", { name: "talk" }, id),
      );
    let answer = await send(1);
    for (let id = 2; answer.status === 202; id += 1) answer = await send(id);
    expect(answer.status).to.equal(429);
    socket.destroy();
    expect(await errorOf(answer)).to.match(/not being read/);
  });
});
