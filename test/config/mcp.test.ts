import { expect } from "chai";
import { parseConfig } from "../../config/index.js";

const rejected = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
  } catch (error) {
    return String(error);
  }
  return "";
};

describe("the configuration of the tool server", () => {
  it("parses hosts and peers", () => {
    const { mcp } = parseConfig({
      PLATEN_MCP_URL: "https://tools.example.com/ai/",
      PLATEN_MCP_HOSTS: "Inner.example.com, [::1]",
      PLATEN_MCP_NODE: "b",
      PLATEN_MCP_PEERS: "a=http://10.0.0.1:3000/, b=https://b.internal/x",
    });
    expect(mcp.url).to.equal("https://tools.example.com/ai");
    expect(mcp.hosts).to.deep.equal(["inner.example.com", "[::1]"]);
    expect([...mcp.peers]).to.deep.equal([
      ["a", "http://10.0.0.1:3000"],
      ["b", "https://b.internal/x"],
    ]);
  });

  for (const [name, value] of [
    ["PLATEN_MCP_URL", "ftp://x"],
    ["PLATEN_MCP_HOSTS", "https://x.example.com"],
    ["PLATEN_MCP_PEERS", "http://10.0.0.1"],
    ["PLATEN_MCP_PEERS", "a=http://10.0.0.1,a=http://10.0.0.2"],
    ["PLATEN_MCP_NODE", "a b"],
  ] as const)
    it(`rejects ${name}=${value}`, () => {
      expect(rejected({ [name]: value })).to.contain(`${name}: expected`);
    });

  for (const env of [{}, { PLATEN_MCP_NODE: "c" }])
    it(`rejects peers that do not include this instance: ${JSON.stringify(env)}`, () => {
      const peers = { PLATEN_MCP_PEERS: "a=http://10.0.0.1" };
      expect(rejected({ ...env, ...peers })).to.contain("PLATEN_MCP_NODE");
    });
});
