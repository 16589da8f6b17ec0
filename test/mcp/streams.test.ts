import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "chai";
import { z } from "zod";
import { parseConfig } from "../../config/index.js";
import {
  contentTool,
  textBlock,
  type Progress,
  TOOLS,
} from "../../core/mcp/index.js";
import { ProgressHeartbeat } from "../../core/mcp/tools/documents.js";
import type { Timer } from "../../core/lib/clock.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { ManualClock, useClock } from "../support/clock.js";
import { eventually } from "../support/eventually.js";
import { fastClock } from "../support/fast-clock.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import {
  WaitingTool,
  SseStream,
  officialClients,
  postMessage,
  rpc,
} from "../support/tool-client.js";

const { mcp } = parseConfig({});
const call = rpc("tools/call", { name: "wait" });

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
  headers: { "x-api-key": string },
): Promise<{
  socket: Socket;
  send: (id: number) => Promise<Response>;
}> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /sse HTTP/1.1\r\nhost: ${hostname}\r\n`);
  socket.write(`x-api-key: ${headers["x-api-key"]}\r\n\r\n`);
  let head = "";
  while (!head.includes("sessionId=")) head += await once(socket, "data");
  socket.pause();
  const [, path = ""] = /data: (\S+)/.exec(head) ?? [];
  return {
    socket,
    send: (id) => {
      const talk = rpc("tools/call", { name: "talk" }, id);
      return postMessage(url + path, headers, talk);
    },
  };
}

describe("a long call", () => {
  const waiting = new WaitingTool();
  const { log, text } = recordingLog();
  const service = useService({
    log,
    config: { mcp: { ...mcp, keepAliveMs: 50 } },
    replace: (container) =>
      container.register(TOOLS, { useValue: [largeTool, waiting.tool()] }),
  });
  let caller: TestCaller;
  let headers: { "x-api-key": string };

  before(async () => {
    caller = await newCaller(service);
    headers = { "x-api-key": caller.key };
  });

  for (const [name, connectClient] of officialClients) {
    it(`reports its progress to ${name}`, async () => {
      const client = await connectClient(service.url, { headers });
      const reports: unknown[] = [];
      const answer = await client.callTool({ name: "wait" }, (progress) => {
        reports.push(progress);
        waiting.release();
      });
      expect(reports).to.deep.equal([
        { progress: 1, total: 2, message: "half-way" },
      ]);
      expect(answer["content"]).to.deep.equal([
        { type: "text", text: "waited" },
      ]);
      await client.close();
    });

    it(`stops when ${name} disconnects`, async () => {
      const client = await connectClient(service.url, { headers });
      const called = waiting.called();
      const answer = client.callTool({ name: "wait" }).catch(String);
      await called;
      const aborted = waiting.aborted();
      await client.close();
      await aborted;
      expect(await answer).to.match(/closed|aborted/i);
    });
  }

  it("is not logged as an error when its client disconnects", async () => {
    const calls = () => text().match(/"tool":"wait"/g)?.length ?? 0;
    await eventually(() => calls() >= 2 * officialClients.length);
    expect(text()).not.to.include('"level":"error"');
  });

  it("stops when its client cancels it, and the stream stays", async () => {
    const stream = await SseStream.open(service.url, headers);
    const endpoint = await stream.endpoint();
    const called = waiting.called();
    await postMessage(endpoint, headers, call);
    await called;
    const aborted = waiting.aborted();
    await postMessage(endpoint, headers, {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    await aborted;
    await postMessage(endpoint, headers, rpc("tools/list", {}, 2));
    await stream.until(/"id":2/);
  });

  it("and an idle stream are sent comments", async () => {
    const stream = await SseStream.open(service.url, headers);
    await stream.until(/(: .+\n\n){3}/);
    const response = await postMessage(service.url, headers, call);
    expect(response.headers.get("content-type")).to.equal("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).to.equal("no");
    let received = "";
    for await (const chunk of response.body ?? []) {
      received += new TextDecoder().decode(chunk);
      // Several may come at once.
      if ((received.match(/^:/gm)?.length ?? 0) >= 3) waiting.release();
    }
    expect(received).to.contain("waited");
  });

  it("is refused while earlier answers of its session are not read", async () => {
    const { socket, send } = await unread(service.url, headers);
    let answer = await send(1);
    for (let id = 2; answer.status === 202; id += 1) answer = await send(id);
    expect(answer.status).to.equal(429);
    socket.destroy();
    expect(await readError(answer)).to.match(/not being read/);
  });

  it("is aborted when its key is revoked, by another process too, and no call of another key is", async () => {
    const { key, keyId } = await newCaller(service);
    const revoked = { "x-api-key": key };
    const stream = await SseStream.open(service.url, revoked);
    const answers: Response[] = [];
    for (const [url, sender] of [
      [await stream.endpoint(), revoked],
      [service.url, revoked],
      [service.url, headers],
    ] as const) {
      const called = waiting.called();
      answers.push(await postMessage(url, sender, call));
      await called;
    }
    const { code } = await cliOn(service.dataFolder)("key", "revoke", keyId);
    expect(code).to.equal(0);
    expect(await stream.over()).not.to.contain("event: message");
    const texts = answers.map((answer) => answer.text().catch(String));
    expect(await texts[1]).not.to.contain("waited");
    waiting.release();
    expect(await texts[2]).to.contain("waited");
  });

  it("is reported again during a long step, and its progress always increases", async () => {
    const notes: Progress[] = [];
    await new Promise<void>((resolve) => {
      const pulse = new ProgressHeartbeat((note) => {
        notes.push(note);
        if (notes.length < 4) return;
        pulse.end();
        resolve();
      }, 1);
      pulse.begin("merge");
      pulse.begin("print");
    });
    expect(notes).to.deep.equal([
      { done: 1, message: "merge" },
      { done: 2, message: "print" },
      { done: 3, message: "print" },
      { done: 4, message: "print" },
    ]);
  });

  it("ends before its stream when the server stops, which accepts nothing new", async () => {
    const [idle, busy] = await Promise.all([
      SseStream.open(service.url, headers),
      SseStream.open(service.url, headers),
    ]);
    const answers: Response[] = [];
    for (const url of [await busy.endpoint(), service.url]) {
      const called = waiting.called();
      answers.push(await postMessage(url, headers, call));
      await called;
    }
    const { url } = service;
    const stopped = service.stop();
    await idle.over();
    expect((await postMessage(url, headers)).status).to.equal(503);
    waiting.release();
    expect(await answers[1]?.text()).to.contain("waited");
    expect(await busy.over()).to.contain("waited");
    await stopped;
  });
});

describe("a session", () => {
  const waiting = new WaitingTool();
  const service = useService({
    config: { mcp: { ...mcp, idleMs: 300 } },
    replace: (container) =>
      container.register(TOOLS, { useValue: [largeTool, waiting.tool()] }),
  });
  let headers: { "x-api-key": string };

  before(async () => {
    headers = { "x-api-key": (await newCaller(service)).key };
  });

  /** A session that has a call under way. On a busy machine, its time may be over before the call arrives. */
  const calling = async (): Promise<SseStream> => {
    for (;;) {
      const stream = await SseStream.open(service.url, headers);
      const sent = await postMessage(await stream.endpoint(), headers, call);
      if (sent.status === 202) return stream;
    }
  };

  it("ends when it is idle, but not before its calls", async () => {
    const called = waiting.called();
    const busy = await calling();
    await called;
    const idle = await SseStream.open(service.url, headers);
    expect(await idle.over()).not.to.contain("event: message");
    waiting.release();
    expect(await busy.over()).to.contain("waited");
  });

  it("accepts no more calls once it has ended with answers unread", async () => {
    const { socket, send } = await unread(service.url, headers);
    // More than the system takes for a client that does not read.
    for (let id = 1; id < 6; id += 1) await send(id);
    const opened = await SseStream.open(service.url, headers);
    // It was opened later, and so is over later.
    await opened.over();
    const late = await send(6);
    socket.destroy();
    expect(late.status).to.equal(404);
  });
});

describe("the time after which an idle session ends", () => {
  const idleMs = 77_777;
  const time = new ManualClock();
  useClock({
    ...fastClock,
    limit: (milliseconds, callback) => {
      if (milliseconds === idleMs) return time.limit(milliseconds, callback);
      const timeout = setTimeout(callback, milliseconds);
      const timer: Timer = {
        cancel: () => clearTimeout(timeout),
        unref: () => timer,
      };
      return timer;
    },
  });
  const service = useService({ config: { mcp: { ...mcp, idleMs } } });

  it("begins anew with each message", async () => {
    const headers = { "x-api-key": (await newCaller(service)).key };
    const stream = await SseStream.open(service.url, headers);
    const endpoint = await stream.endpoint();
    for (const id of [1, 2]) {
      await time.advance(idleMs - 1);
      const sent = await postMessage(
        endpoint,
        headers,
        rpc("tools/list", {}, id),
      );
      expect(sent.status).to.equal(202);
      await stream.until(new RegExp(`"id":${id}\\D`));
    }
    await time.advance(idleMs);
    await stream.over();
  });
});
