import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { z } from "zod";
import {
  addTestBase,
  listFiles,
  nameDefinition,
} from "../../../support/airtable-bases.js";
import { until } from "../../../support/eventually.js";
import { FakeAirtable } from "../../../support/fakes/fake-airtable.js";
import { startServiceProcess } from "../../../support/service-process.js";
import { suiteFolder } from "../../../support/store-folder.js";

const idSchema = z.looseObject({ id: z.string() });

describe("a service that is killed while uploads hang", () => {
  const env = {
    PLATEN_DATA: join(suiteFolder(), "data"),
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  };
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  const post = async (url: string, path: string, body: object) => {
    const key = await readFile(join(env.PLATEN_DATA, "demo-key.txt"), "utf8");
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "x-api-key": key.trim(), "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    expect(response.ok, JSON.stringify(answer)).to.equal(true);
    return answer;
  };

  it("writes the files that had not been started as soon as it is back, each once", async () => {
    const base = addTestBase(fake, "Shop", 24);
    const hanging = new Set<string>();
    fake.beforeUpload = (_base, recordId) => {
      if (hanging.size >= 4) return undefined;
      hanging.add(recordId);
      return new Promise(() => undefined);
    };
    const first = startServiceProcess(env);
    const url = await first.url;
    const credentials = {
      token: fake.addToken("pat.shop"),
      endpointUrl: fake.url,
      contentUrl: fake.url,
    };
    const { id: connectionId } = idSchema.parse(
      await post(url, "/api/connections", {
        platform: "airtable",
        name: "Shop",
        credentials,
      }),
    );
    const { id: templateId } = idSchema.parse(
      await post(url, "/api/templates", {
        name: "Order",
        definition: nameDefinition,
      }),
    );
    await post(url, "/api/export/batch/airtable", {
      templateId,
      connectionId,
      recordIds: base.recordIds,
      baseId: base.id,
      tableId: "Orders",
      attachmentField: "Documents",
      formats: ["html"],
    });
    await until("four uploads hang", () => hanging.size === 4);
    first.kill("SIGKILL");
    await first.ended;
    const second = startServiceProcess(env);
    await second.url;
    // The four are tried again when the lease of their jobs ends.
    await until("all others are written", () => {
      const files = listFiles(base);
      return files.filter(({ length }) => length === 1).length >= 20;
    });
    const files = listFiles(base).map((names) => names.length);
    expect(Math.max(...files)).to.equal(1);
  });
});
