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
    const response = await fetch(`${await openAndSubmit(url, "A")}/events`);
    expect(response.headers.get("content-type")).to.contain(
      "text/event-stream",
    );
    const parts = response.body?.pipeThrough(new TextDecoderStream());
    const reader = parts?.getReader();
    let received = "";
    while (!received.includes("\n\ndata: "))
      received += (await reader?.read())?.value ?? "";
    expect(received).to.contain("Creating your document…");
    const stopped = service.stop();
    // One that is cut off rejects.
    while (!(await reader?.read())?.done);
    await stopped;
  });
});
