import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { DataFolder, type ExportRequest, startProcess } from "./service.js";
import { Measurement } from "./measurement.js";
import { isWanted, options } from "./options.js";
import type { BenchResult, Group } from "./scenario.js";

interface ToolScenario {
  name: string;
  concurrency: number;
  /** Of calls, as a share of the bench's documents. */
  share: number;
  call: (
    client: Client,
    invoice: ExportRequest,
  ) => Promise<{ isError?: unknown }>;
}

function getTemplate(client: Client, { templateId }: ExportRequest) {
  return client.callTool({
    name: "get_template",
    arguments: { templateId, includeDefinition: false },
  });
}

/** The invoice as a PDF, as `service-sync-c1` asks REST for it. */
function render(preview: string): ToolScenario["call"] {
  return (client, { templateId, data }) =>
    client.callTool({
      name: "render_document",
      arguments: { templateId, data, formats: ["pdf"], preview },
    });
}

const SCENARIOS: readonly ToolScenario[] = [
  {
    name: "tools-list",
    concurrency: 1,
    share: 1,
    call: async (client) => {
      await client.listTools();
      return {};
    },
  },
  { name: "tools-get-c1", concurrency: 1, share: 1, call: getTemplate },
  { name: "tools-get-c8", concurrency: 8, share: 2, call: getTemplate },
  {
    name: "tools-render-c1",
    concurrency: 1,
    share: 0.25,
    call: render("none"),
  },
  {
    name: "tools-render-preview-c1",
    concurrency: 1,
    share: 0.25,
    call: render("first"),
  },
];

/** Calls of tools by the official client over /mcp. */
export const TOOLS: Group = {
  names: SCENARIOS.map(({ name }) => name),
  results: async () => {
    const folder = await DataFolder.make();
    const service = await startProcess("all", { PLATEN_DATA: folder.path });
    const client = new Client({ name: "bench", version: "1.0.0" });
    try {
      const headers = { "x-api-key": await folder.key() };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
          requestInit: { headers },
        }),
      );
      return await measured(service.pid, client, await folder.invoice());
    } finally {
      await client.close();
      await service.stop();
      await folder.remove();
    }
  },
};

async function measured(
  pid: number,
  client: Client,
  invoice: ExportRequest,
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const { name, concurrency, share, call } of SCENARIOS) {
    if (!isWanted(name)) continue;
    const runOnce = async () => {
      const { isError } = await call(client, invoice);
      if (isError) throw new Error(`${name} was refused`);
    };
    const scenario = { name, concurrency, roots: [pid], runOnce };
    const measurement = new Measurement(scenario);
    await new Measurement(scenario).round(concurrency * 4);
    await measurement.round(Math.ceil(Number(options.documents) * share));
    results.push(measurement.result());
  }
  return results;
}
