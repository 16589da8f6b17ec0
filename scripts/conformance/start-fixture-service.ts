import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../../config/index.js";
import { createContainer } from "../../core/app/modules.js";
import { createLog } from "../../core/lib/log.js";
import {
  createPrompts,
  createResources,
  ToolServer,
} from "../../core/mcp/index.js";
import { startService } from "../../core/app/service.js";
import * as t from "../../core/app/tokens.js";
import { fixturePrompts, fixtureResources } from "./fixture-reading.js";
import { fixtureTools } from "./fixture-tools.js";

export interface FixtureService {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** The whole service with an empty database, and the fixtures beside its own tools, resources and prompts. */
export async function startFixtureService(): Promise<FixtureService> {
  const folder = await mkdtemp(join(tmpdir(), "platen-conformance-"));
  const config = parseConfig({ PLATEN_DATA: folder, PLATEN_PORT: "0" });
  const container = createContainer().createChildContainer();
  container.register(t.TOOL_SERVER, {
    useFactory: (c) => {
      const services = {
        templates: c.resolve(t.TEMPLATES),
        documents: c.resolve(t.DOCUMENTS),
      };
      return new ToolServer({
        about: { name: "platen", title: "Platen", version: "0.0.0" },
        tools: [...c.resolve(t.TOOLS), ...fixtureTools],
        resources: [...createResources(services), ...fixtureResources],
        prompts: [...createPrompts(services), ...fixturePrompts],
        ended: () => undefined,
      });
    },
  });
  const service = await startService(
    config,
    createLog({ level: "error", format: "json" }, process.stderr),
    container,
  );
  const key = await readFile(join(folder, "demo-key.txt"), "utf8");
  return {
    url: service.baseUrl,
    key: key.trim(),
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
