import { expect } from "chai";
import { before, describe, it } from "mocha";
import { z } from "zod";
import { platformSchema } from "../../../core/api/routes/platforms.js";
import { requestsTo } from "../../support/caller.js";
import { platformCode, pluginFolder } from "../../support/plugin-folder.js";
import { reader } from "../../support/caller.js";
import { startServiceProcess } from "../../support/service-process.js";
import { cliProcessOn, json } from "../../support/store-cli.js";
import { suiteFolder } from "../../support/store-folder.js";

const platforms = reader(z.strictObject({ data: z.array(platformSchema) }));

const leavesRejection = platformCode("careless").replace(
  "async check({ credentials: { url, token }, json }) {",
  'async check() { Promise.reject(new Error("left behind")); return {};',
);

describe("a service with faulty plugins", () => {
  const data = suiteFolder();
  const folder = pluginFolder(
    { name: "careless", code: leavesRejection },
    { name: "throws", code: 'throw new Error("no disk");' },
  );
  const env = { PLATEN_DATA: data, PLATEN_PLUGIN_FOLDER: folder };
  let service: ReturnType<typeof requestsTo>;
  before(async () => {
    const cli = cliProcessOn(data, { PLATEN_DEMO: "off" });
    const named = ["--name", "A", "--plan", "pro"];
    const { id = "" } = await json(cli, "org", "create", ...named);
    const scopes = "connections:read,connections:write";
    const key = ["key", "create", "--org", id, "--scopes", scopes];
    const made = await json(cli, ...key);
    const url = await startServiceProcess(env).url;
    service = requestsTo(() => url, made.key ?? "");
  });

  it("lists a plugin that throws with the reason and runs the others", async () => {
    const { data: all } = await platforms(await service.get("/api/platforms"));
    const states = Object.fromEntries(all.map((one) => [one.id, one.state]));
    expect(states).to.include({ careless: "ready", throws: "broken" });
    const broken = all.find(({ id }) => id === "throws");
    expect(broken).to.include({ capabilities: null, isShipped: false });
    expect(broken?.reason).to.contain("no disk");
  });

  it("survives a rejected promise that a plugin did not await", async () => {
    const credentials = { url: "https://a.example", token: "long enough" };
    const input = { platform: "careless", name: "A", credentials };
    const made = await service.post("/api/connections", input);
    const { id } = z.looseObject({ id: z.string() }).parse(await made.json());
    const tested = await service.post(`/api/connections/${id}/test`, {});
    expect(await tested.json()).to.have.nested.property(
      "connection.state",
      "working",
    );
    const still = await service.get("/api/platforms");
    expect(still.status).to.equal(200);
  });
});
