import { expect } from "chai";
import { useApi } from "../support/api.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { until } from "../support/eventually.js";
import { recordingLog } from "../support/recording-log.js";
import { scrape } from "../support/scrape.js";

const htmlPhases = "load compile merge assets store record".split(" ");

describe("the outcome of a render", () => {
  const { log, text } = recordingLog();
  const metrics = { host: "127.0.0.1", port: 0 };
  const api = useApi({ log, config: { metrics }, plan: "premium" });
  /** The entry of a document, without what all entries have. */
  const findEntry = (documentId: string | null | undefined) =>
    until("it is logged", () => {
      const line = text()
        .split("\n")
        .find((one) => one.includes(`"documentId":"${documentId}"`));
      if (line === undefined) return null;
      const entry: Record<string, unknown> = JSON.parse(line);
      const { phases, msg, level, code, batchId, formats, ...rest } = entry;
      const names = Object.keys(Object(phases)).toSorted();
      return { rest, names, shown: { msg, level, code, batchId, formats } };
    });
  /** Samples of renders, except times. */
  const count = async () =>
    Object.fromEntries(
      [...(await scrape(api.service.metricsUrl))].filter(([name]) =>
        /^platen_render(s_total|_seconds_count|_phase_seconds_count)/.test(
          name,
        ),
      ),
    );

  it("is logged and counted by format, by its success or its error, and by phase", async () => {
    const { document, headers } = await api.render({
      formats: ["html", "mjml"],
    });
    const failed = await api.send({ data: { constructor: "secret" } });
    const { batchId } = await sendBatch(api.caller, {
      templateId: api.templateId,
      formats: ["html"],
      items: [{}],
    });
    const { documents } = await batchWhen(api.caller, batchId);
    const { organizationId } = api.caller;
    const good = await findEntry(document.id);
    expect(good.shown).to.deep.equal({
      msg: "rendered",
      level: "info",
      code: undefined,
      batchId: undefined,
      formats: ["html", "mjml"],
    });
    expect(good.rest).to.include({
      organizationId,
      templateId: api.templateId,
      requestId: headers.get("x-request-id"),
    });
    expect(good.names).to.deep.equal([...htmlPhases, "mjml"].toSorted());
    const bad = await findEntry(failed.headers.get("x-document-id"));
    expect(bad.shown).to.deep.equal({
      msg: "render failed",
      level: "warn",
      code: "merge_failed",
      batchId: undefined,
      formats: ["html"],
    });
    expect((await findEntry(documents[0]?.id)).shown).to.include({
      msg: "rendered",
      batchId,
    });
    expect(text()).not.to.contain("secret");
    // A queued document was accepted and its row written before.
    const phases = { load: 1, compile: 2, merge: 2, mjml: 1, assets: 2 };
    const counted = { ...phases, store: 2, record: 1 };
    expect(await count()).to.deep.equal({
      ...Object.fromEntries(
        Object.entries(counted).map(([phase, times]) => [
          `platen_render_phase_seconds_count{phase="${phase}"}`,
          times,
        ]),
      ),
      'platen_render_seconds_count{outcome="succeeded"}': 2,
      'platen_render_seconds_count{outcome="merge_failed"}': 1,
      'platen_renders_total{format="html",outcome="succeeded"}': 2,
      'platen_renders_total{format="mjml",outcome="succeeded"}': 1,
      'platen_renders_total{format="html",outcome="merge_failed"}': 1,
    });
  });
});
