import { expect } from "chai";
import { before, describe, it } from "mocha";
import { Documents } from "../../core/documents/index.js";
import { DOCUMENTS, STORE } from "../../core/app/tokens.js";
import { readError, newCaller, type TestCaller } from "../support/caller.js";
import { recordingLog } from "../support/recording-log.js";
import { useService } from "../support/service.js";

class BrokenDocuments extends Documents {
  override list(): never {
    throw new TypeError("password hunter2 is wrong at 10.0.0.7");
  }
}

describe("an unexpected error", () => {
  const { log, text } = recordingLog();
  const service = useService({
    log,
    replace: (container) =>
      container.register(DOCUMENTS, {
        useFactory: (c) => new BrokenDocuments(c.resolve(STORE)),
      }),
  });
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  it("is a 500 with the request id and no details", async () => {
    const response = await caller.get("/api/documents");
    expect(response.status).to.equal(500);
    const error = await readError(response);
    expect(error).not.to.contain("hunter2");
    expect(error).to.contain(response.headers.get("x-request-id"));
  });

  it("is logged with that id", async () => {
    const response = await caller.get("/api/documents");
    const id = response.headers.get("x-request-id") ?? "";
    const line = text()
      .split("\n")
      .find((one) => one.includes(id) && one.includes("hunter2"));
    expect(line).to.contain('"level":"error"');
  });
});
