import { expect } from "chai";
import { describe, it } from "mocha";
import { newCaller, replies } from "../support/caller.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the request log", () => {
  const { log, text } = recordingLog();
  const service = useService({ log });

  it("has an entry for each request, and no key, signature or data", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller);
    const data = { name: "Confidential Person" };
    await caller.post("/api/export", { templateId, formats: ["html"], data });
    const list = await replies.documents(await caller.get("/api/documents"));
    const url = list.data[0]?.outputs[0]?.url ?? "";
    await fetch(url);
    await fetch(`${service.url}/api/documents?apiKey=${caller.key}`);
    const { data: templates } = await replies.templates(
      await caller.get("/api/templates"),
    );
    const thumbnail = templates[0]?.thumbnailUrl ?? "";
    await fetch(thumbnail, { method: "HEAD" });

    const written = text();
    expect(written).to.match(
      /"method":"POST","path":"\/api\/export","status":200/,
    );
    expect(written).to.match(/"path":"\/files\/doc_[^"]*\.html"/);
    for (const secret of [
      caller.key,
      url.split("signature=")[1],
      /([\w-]+)\.png$/.exec(thumbnail)?.[1],
      "Confidential",
    ])
      expect(written).not.to.contain(secret);
  });

  it("redacts fields with names of secrets", () => {
    log.info({ headers: { "x-api-key": "S1", authorization: "S2" } }, "a");
    log.info({ token: "S3", connection: { password: "S4" } }, "b");
    const error = Object.assign(new Error("query failed"), {
      parameters: ["S5"],
    });
    log.error({ err: error }, "c");
    expect(text()).not.to.match(/"S[1-5]"/);
    expect(text()).to.contain("query failed");
  });
});
