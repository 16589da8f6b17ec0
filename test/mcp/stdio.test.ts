import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "chai";
import { newCaller, type TestCaller } from "../support/caller.js";
import { rawNumber } from "../support/raw-number.js";
import { programArguments } from "../support/service-process.js";
import { useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import { getText } from "../support/tool-client.js";

const about = { name: "test", version: "1.0.0" };

describe("platen mcp --stdio", () => {
  const service = useService();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service, ["templates:read"]);
  });

  const command = (PLATEN_API_KEY: string) => ({
    command: process.execPath,
    args: [...programArguments("core/cli/main"), "mcp", "--stdio"],
    env: { PLATEN_DATA: service.dataFolder, PLATEN_API_KEY },
  });

  it("serves a client with the scopes of its key, while the service runs", async () => {
    const templateId = await caller.publish();
    const client = new Client(about);
    await client.connect(new StdioClientTransport(command(caller.key)));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.to.include("delete_template");
    const name = "get_template";
    const answer = await client.callTool({ name, arguments: { templateId } });
    expect(getText(answer)).to.contain(templateId);
    await client.close();
  });

  it("reads numbers that JavaScript would round as texts of their digits", async () => {
    const client = new Client(about);
    await client.connect(new StdioClientTransport(command(caller.key)));
    const errorFor = async (digits: string) => {
      const templateId = rawNumber(digits);
      const name = "get_template";
      const answer = await client.callTool({ name, arguments: { templateId } });
      return JSON.stringify(answer);
    };
    expect(await errorFor("9007199254740992")).to.contain("must be a string");
    expect(await errorFor("9007199254740993")).to.contain("no such template");
    await client.close();
  });

  it("answers a message that is not UTF-8 with a parse error, and goes on", async () => {
    const { args, command: program, env } = command(caller.key);
    const child = spawn(program, args, { env: { ...process.env, ...env } });
    child.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "ping" })}\n`,
    );
    const lines = (await text(child.stdout)).trim().split("\n");
    const [refused, answered] = lines.map((line) => JSON.parse(line));
    expect(refused).to.deep.include({ id: null }).and.nested.include({
      "error.code": -32_700,
    });
    expect(refused.error.message).to.contain("the byte 0xFF at position 1 ");
    expect(answered).to.deep.include({ id: 7, result: {} });
  });

  it("serves clients of the previous protocol and ends when its key is revoked", async () => {
    const { key, keyId } = await newCaller(service);
    const client = new EarlierClient(about);
    await client.connect(new EarlierStdio(command(key)));
    expect((await client.listTools()).tools).to.have.length.above(2);
    const closed = new Promise<void>((resolve) => {
      Object.assign(client, { onclose: resolve });
    });
    await cliOn(service.dataFolder)("key", "revoke", keyId);
    await closed;
  });

  it("requires a valid key and an existing data folder", async () => {
    const cli = cliOn(service.dataFolder);
    const { code, stderr, stdout } = await cli("mcp", "--stdio");
    expect([code, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.contain("PLATEN_API_KEY");
    const nowhere = await cli("mcp", "--stdio", "--root", "/none");
    expect(nowhere.stderr).to.contain("no folder /none");
    const wrong = cliOn(service.dataFolder, { PLATEN_API_KEY: "plk_x" });
    expect((await wrong("mcp", "--stdio")).stderr).to.contain(
      "Unknown API key",
    );
  });
});
