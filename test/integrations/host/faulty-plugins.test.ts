import { expect } from "chai";
import { z } from "zod";
import { platformSchema } from "../../../core/api/routes/platforms.js";
import {
  json,
  newCaller,
  reader,
  type TestCaller,
} from "../../support/caller.js";
import { eventually } from "../../support/eventually.js";
import {
  limitPlugins,
  platformCode,
  pluginFolder,
} from "../../support/plugin-folder.js";
import { useService } from "../../support/service.js";

const platforms = reader(z.strictObject({ data: z.array(platformSchema) }));

const leavesRejection = platformCode("careless").replace(
  "async check({ credentials: { url, token }, json }) {",
  'async check() { Promise.reject(new Error("left behind")); return {};',
);

describe("a service with plugins that fail when they are loaded", () => {
  const folder = pluginFolder(
    { name: "a-exits", code: "process.exit(1);" },
    { name: "b-loops", code: "for (;;);" },
    { name: "careless", code: leavesRejection },
    { name: "throws", code: 'throw new Error("no disk");' },
  );
  const service = useService({
    variables: () => ({ PLATEN_PLUGIN_FOLDER: folder }),
    replace: limitPlugins({ maxSilenceMs: 1500 }),
  });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const find = async (id: string) => {
    const { data } = await platforms(await caller.get("/api/platforms"));
    return data.find((one) => one.id === id);
  };

  it("lists those that end or freeze their process, or throw, with the reason, and runs the others", async () => {
    for (const [id, reason] of [
      ["a-exits", "it ended with code 1"],
      ["b-loops", "without a pause"],
      ["throws", "no disk"],
    ] as const) {
      const broken = await eventually(async () => {
        const plugin = await find(id);
        return plugin?.state === "broken" && plugin;
      });
      expect(broken).to.include({ capabilities: null, isShipped: false });
      expect(broken.reason).to.include(reason);
    }
    expect((await find("careless"))?.state).to.equal("ready");
  });

  it("survives a rejected promise that a plugin did not await", async () => {
    const credentials = { url: "https://a.example", token: "long enough" };
    const input = { platform: "careless", name: "A", credentials };
    const { id } = await json<{ id: string }>(
      caller.post("/api/connections", input),
      201,
    );
    const tested = await json(caller.post(`/api/connections/${id}/test`, {}));
    expect(tested).to.have.nested.property("connection.state", "working");
    expect((await find("careless"))?.state).to.equal("ready");
  });
});
