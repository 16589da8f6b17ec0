import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { Deadline } from "../../core/plugin-api/index.js";
import { endlessLayout } from "../support/large-documents.js";
import { sharedRenderer } from "../support/renderer.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

describe("a deadline", () => {
  it("is enforced although only the print holds a reference to it", async () => {
    const renderer = await sharedRenderer();
    const { signal } = new AbortController();
    const collecting = setInterval(collectGarbage, 20);
    const error = await renderer
      .pdf({ html: endlessLayout(), deadline: Deadline.after(500, signal) })
      .catch((reason: unknown) => reason);
    clearInterval(collecting);
    expect(error).to.have.property("code", "timeout");
  });
});
