import { expect } from "chai";
import { before, describe, it } from "mocha";
import { newCaller, type TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const phases = ["queue", "compile", "merge", "print", "store"];

describe("Server-Timing", () => {
  const service = useService();
  let caller: TestCaller;

  before(async () => {
    caller = await newCaller(service);
  });

  for (const formats of [["pdf"], ["html"], ["image"], ["mjml"]])
    it(`contains all phases of ${formats.join()}`, async () => {
      const templateId = await publish(service.store, caller);
      const response = await caller.post("/api/export", {
        templateId,
        formats,
      });
      const header = response.headers.get("server-timing") ?? "";
      const timings = header.split(", ").map((entry) => entry.split(";dur="));
      for (const phase of phases) {
        const [, milliseconds] = timings.find(([name]) => name === phase) ?? [];
        expect(milliseconds, phase).to.match(/^\d+\.\d$/);
      }
    });
});
