import { createContext, runInContext } from "node:vm";
import { expect } from "chai";
import { Batch } from "../../../core/storage/database/index.js";
import {
  addTestBase,
  listFiles,
  type TestBase,
} from "../../support/airtable-bases.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { useListener, useServer } from "../../support/fakes/fake-server.js";
import { newTableCaller, readRecipe } from "../../support/recipes.js";
import { type RecordCaller, waitForWriteBacks } from "../../support/records.js";
import { useService } from "../../support/service.js";

type Inputs = Readonly<Record<string, string | string[]>>;

/** What Airtable's "Run a script" has beside the language itself: no timers, no URL. */
class Automation {
  readonly outputs = new Map<string, unknown>();
  readonly log: string[] = [];

  constructor(
    private readonly baseId: string,
    private readonly secrets: Readonly<Record<string, string>>,
  ) {}

  async run(script: string, inputs: Inputs): Promise<void> {
    const context = createContext({
      base: { id: this.baseId },
      input: {
        config: () => structuredClone(inputs),
        secret: (name: string) => {
          const secret = this.secrets[name];
          if (secret === undefined) throw new Error(`No secret "${name}"`);
          return secret;
        },
      },
      output: {
        set: (name: string, value: unknown) => {
          this.outputs.set(name, structuredClone(value));
        },
      },
      console: { log: (text: string) => this.log.push(text) },
      fetch,
    });
    await runInContext(`(async () => {${script}\n})()`, context);
  }
}

describe("the recipe for an Airtable automation", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const fake = useServer(new FakeAirtable());
  const proxy = useListener((_, response) => {
    response.writeHead(502).end("<h1>Bad gateway</h1>");
  });
  let base: TestBase;
  let caller: RecordCaller;
  let automation: Automation;
  before(async () => {
    base = addTestBase(fake, "Order", 4);
    const token = fake.addToken("pat.recipe");
    caller = await newTableCaller(
      service,
      { token, endpointUrl: fake.url, contentUrl: fake.url },
      { platform: "airtable", baseId: base.id, tableId: base.table.id },
    );
    automation = new Automation(base.id, { platenKey: caller.key });
  });

  const run = (inputs: Inputs, address = service.url) => {
    const { templateId } = caller;
    const values = { address, templateId };
    return automation.run(readRecipe("airtable-automation.js", values), inputs);
  };
  const getError = async (inputs: Inputs, address?: string) =>
    run(inputs, address).then(
      () => "",
      (error: unknown) => String(error),
    );
  const waitForFiles = async () => {
    const batchId = String(automation.outputs.get("batchId"));
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    expect(writeBack?.failed).to.equal(0);
    return listFiles(base);
  };

  it("puts the document of the record into its field", async () => {
    await run({ recordId: base.recordIds[0] ?? "", version: "2026-11-23" });
    expect(automation.outputs.get("documents")).to.equal(1);
    expect(automation.log).to.deep.equal([
      "Records that Platen creates documents of: 1",
    ]);
    expect(await waitForFiles()).to.eql([["Order 0.pdf"], [], [], []]);
  });

  it("creates nothing again for a record of the same version", async () => {
    await run({ recordId: base.recordIds[0] ?? "", version: "2026-11-23" });
    expect(automation.outputs.get("documents")).to.equal(0);
    expect(automation.log.at(-1)).to.match(/^Nothing new/);
    expect(await service.store.read.count(Batch)).to.equal(1);
  });

  it("creates a document of a record that has changed", async () => {
    await run({ recordId: base.recordIds[0] ?? "", version: "2026-11-24" });
    expect((await waitForFiles())[0]).to.have.length(2);
  });

  it("creates documents of a list of records", async () => {
    await run({ recordIds: base.recordIds.slice(1, 3) });
    expect(automation.outputs.get("documents")).to.equal(2);
    const files = (await waitForFiles()).slice(1);
    expect(files).to.eql([["Order 1.pdf"], ["Order 2.pdf"], []]);
  });

  it("ends with the message of the service", async () => {
    expect(await getError({ recordId: "recNobody000000000" })).to.match(
      /^Error: Platen answered 400: .*recNobody000000000/,
    );
    const { key } = caller;
    automation = new Automation(base.id, { platenKey: `${key}x` });
    expect(await getError({ recordId: base.recordIds[0] ?? "" })).to.match(
      /^Error: Platen answered 401: \w+/,
    );
  });

  it("ends with what something in front of the service says", async () => {
    const recordId = base.recordIds[0] ?? "";
    expect(await getError({ recordId }, proxy.url)).to.equal(
      "Error: Platen answered 502: <h1>Bad gateway</h1>",
    );
  });

  it("names the input variable that is missing", async () => {
    for (const inputs of [{}, { recordIds: [] }])
      expect(await getError(inputs)).to.contain("input variable recordId");
  });
});
