import { expect } from "chai";
import { describe, it } from "mocha";
import { createLink, openAndSubmit } from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  useRecordService,
} from "../../support/records.js";

describe("the progress of a run", () => {
  const platform = ordersPlatform();
  // Nobody works on batches, so that it goes on until the service ends.
  const service = useRecordService(platform, { role: "serve" });

  it("is sent as events that end when the service stops", async () => {
    addOrder(platform, "A");
    const { url } = await createLink(await newRecordCaller(service));
    const answer = await fetch(`${await openAndSubmit(url, "A")}/events`);
    expect(answer.headers.get("content-type")).to.contain("text/event-stream");
    const parts = answer.body?.pipeThrough(new TextDecoderStream());
    const reader = parts?.getReader();
    let told = "";
    while (!told.includes("\n\ndata: "))
      told += (await reader?.read())?.value ?? "";
    expect(told).to.contain("Creating your document…");
    const stopped = service.stop();
    // One that is cut off rejects.
    while (!(await reader?.read())?.done);
    await stopped;
  });
});
