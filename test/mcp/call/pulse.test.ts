import { expect } from "chai";
import { describe, it } from "mocha";
import { ProgressHeartbeat } from "../../../core/mcp/tools/documents.js";
import type { Progress } from "../../../core/mcp/index.js";

describe("the progress of a long call", () => {
  it("is reported again during a long step and always increases", async () => {
    const notes: Progress[] = [];
    await new Promise<void>((resolve) => {
      const pulse = new ProgressHeartbeat((note) => {
        notes.push(note);
        if (notes.length < 4) return;
        pulse.end();
        resolve();
      }, 1);
      pulse.begin("merge");
      pulse.begin("print");
    });
    expect(notes).to.deep.equal([
      { done: 1, message: "merge" },
      { done: 2, message: "print" },
      { done: 3, message: "print" },
      { done: 4, message: "print" },
    ]);
  });
});
