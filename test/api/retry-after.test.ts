import { expect } from "chai";
import { describe, it } from "mocha";
import { DOCUMENTS, STORE } from "../../core/app/tokens.js";
import { Documents } from "../../core/documents/index.js";
import { PlatenError } from "../../core/plugin-api/index.js";
import { readError, newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

class BusyDocuments extends Documents {
  override list(): never {
    throw new PlatenError("busy", "The platform takes no more for now.");
  }
}

describe("a 429", () => {
  const service = useService({
    replace: (container) =>
      container.register(DOCUMENTS, {
        useFactory: (c) => new BusyDocuments(c.resolve(STORE)),
      }),
  });

  it("has Retry-After even when nobody knows how long it will take", async () => {
    const caller = await newCaller(service);
    const response = await caller.get("/api/documents");
    expect(response.status).to.equal(429);
    expect(await readError(response)).to.contain("no more for now");
    expect(response.headers.get("retry-after")).to.equal("10");
  });
});
