import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Compute } from "../../core/compute/index.js";
import { openStore, Template } from "../../core/storage/database/index.js";
import { InlineTemplates } from "../../core/templates/index.js";
import { replies, requestsTo } from "../support/caller.js";
import { until } from "../support/eventually.js";
import { silentLog } from "../support/recording-log.js";
import {
  type ServiceProcess,
  startServiceProcess,
} from "../support/service-process.js";
import { suiteFolder } from "../support/store-folder.js";
import { definition } from "../support/store.js";

const later = new Date("2040-01-01T00:00:00Z");
const formats = ["html"];
const data = { name: "Ada" };

describe("a kill -9 while definitions are rendered", () => {
  const folder = join(suiteFolder(), "data");
  let service: ServiceProcess;

  it("leaves only templates that the next request or sweep can use", async () => {
    service = startServiceProcess({ PLATEN_DATA: folder });
    const url = await service.url;
    const key = (await readFile(join(folder, "demo-key.txt"), "utf8")).trim();
    const written = Array.from({ length: 40 }, (_, index) => ({
      ...definition,
      fileName: `File ${index}`,
    }));
    const rendered = new Map<string, string>();
    const render = async (one: { fileName: string }, at: string) => {
      const response = await requestsTo(() => at, key).post("/api/export", {
        definition: one,
        formats,
        data,
      });
      const id = response.headers.get("x-document-id") ?? "";
      const document = await replies.document(
        await requestsTo(() => at, key).get(`/api/documents/${id}`),
      );
      rendered.set(one.fileName, document.templateId);
      return document.templateId;
    };
    const renders = written.map((one) => render(one, url).catch(() => null));
    await until("some are rendered", () => rendered.size > 3);
    service.kill("SIGKILL");
    await Promise.all([service.ended, ...renders]);
    const earlier = new Map(rendered);

    service = startServiceProcess({ PLATEN_DATA: folder });
    const next = await service.url;
    for (const one of written) {
      const id = await render(one, next);
      const known = earlier.get(one.fileName);
      if (known !== undefined) expect(id).to.equal(known);
    }
    service.kill("SIGKILL");
    await service.ended;

    const store = await openStore({
      database: { kind: "sqlite", file: join(folder, "platen.sqlite") },
      migrate: false,
      log: silentLog,
    });
    try {
      const find = async () =>
        (await store.read.find(Template)).filter(
          ({ inlineHash }) => inlineHash !== null,
        );
      expect(await find()).to.have.length(written.length);
      await store.unitOfWork.run((tx) =>
        tx.query("UPDATE document SET purge_at = NULL"),
      );
      const inline = new InlineTemplates(store, new Compute());
      expect(await inline.sweep(later)).to.equal(written.length);
      for (const { definition: left, trashedAt } of await find()) {
        expect(left).to.eql({ schema: [], components: [] });
        expect(trashedAt).not.to.equal(null);
      }
    } finally {
      await store.close();
    }
  });
});
