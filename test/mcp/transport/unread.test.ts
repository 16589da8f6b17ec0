import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { parseConfig } from "../../../config/index.js";
import { contentTool, textBlock } from "../../../core/mcp/index.js";
import { TOOLS } from "../../../core/app/tokens.js";
import { readError, newCaller } from "../../support/caller.js";
import { useService } from "../../support/service.js";
import { SseStream, postMessage, rpc } from "../../support/tool-client.js";

const largeTool = contentTool({
  name: "talk",
  title: "Talk",
  description: "Says much.",
  scope: "templates:read",
  input: z.strictObject({}),
  annotations: { readOnlyHint: true },
  run: async () => [textBlock("x".repeat(2_000_000))],
});

/** Opens a session, and reads no more of it once it knows where its calls go. */
async function unread(
  url: string,
  key: string,
): Promise<{ socket: Socket; send: (id: number) => Promise<Response> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /sse HTTP/1.1\r\nhost: ${hostname}\r\n`);
  socket.write(`x-api-key: ${key}\r\n\r\n`);
  let head = "";
  while (!head.includes("sessionId=")) head += await once(socket, "data");
  socket.pause();
  const [, path = ""] = /data: (\S+)/.exec(head) ?? [];
  const headers = { "x-api-key": key };
  const send = (id: number) =>
    postMessage(url + path, headers, rpc("tools/call", { name: "talk" }, id));
  return { socket, send };
}

describe("a session whose answers are not read", () => {
  const service = useService({
    replace: (container) =>
      container.register(TOOLS, { useValue: [largeTool] }),
  });

  it("is sent no more of them", async () => {
    const { key } = await newCaller(service);
    const { socket, send } = await unread(service.url, key);
    let answer = await send(1);
    for (let id = 2; answer.status === 202; id += 1) answer = await send(id);
    expect(answer.status).to.equal(429);
    socket.destroy();
    expect(await readError(answer)).to.match(/not being read/);
  });
});

describe("a session that ends before its answers are read", () => {
  const service = useService({
    config: { mcp: { ...parseConfig({}).mcp, idleMs: 300 } },
    replace: (container) =>
      container.register(TOOLS, { useValue: [largeTool] }),
  });

  it("accepts no more calls", async () => {
    const key = (await newCaller(service)).key;
    const { socket, send } = await unread(service.url, key);
    // More than the system takes for a client that does not read.
    for (let id = 1; id < 6; id += 1) await send(id);
    const opened = await SseStream.open(service.url, { "x-api-key": key });
    // It was opened later, and so is over later.
    await opened.over();
    const late = await send(6);
    socket.destroy();
    expect(late.status).to.equal(404);
  });
});
