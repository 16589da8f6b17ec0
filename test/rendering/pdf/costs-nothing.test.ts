import { expect } from "chai";
import { describe, it } from "mocha";
import * as tokens from "../../../core/app/tokens.js";
import { newCaller } from "../../support/caller.js";
import { lazyRenderer } from "../../support/renderer.js";
import { useService } from "../../support/service.js";
import { definition, publish } from "../../support/store.js";

describe("a PDF without edits", () => {
  const printed: Buffer[] = [];
  const service = useService({
    replace: (container) =>
      void container.register(tokens.RENDERER, {
        useValue: {
          ...lazyRenderer,
          pdf: async (job: Parameters<typeof lazyRenderer.pdf>[0]) => {
            const pdf = await lazyRenderer.pdf(job);
            printed.push(pdf.bytes);
            return pdf;
          },
        },
      }),
  });

  it("is stored byte for byte as it was printed", async () => {
    const caller = await newCaller(service);
    const templateId = await publish(service.store, caller, {
      definition: { ...definition, pdf: { title: "A {{ root.name }}" } },
    });
    const response = await caller.post("/api/export", {
      templateId,
      formats: ["pdf"],
      data: { name: "Ada" },
    });
    const { pdf } = Object(await response.json());
    const bytes = await (await fetch(String(pdf.url))).arrayBuffer();
    expect(Buffer.from(bytes).equals(printed[0] ?? Buffer.alloc(0))).to.equal(
      true,
    );
    expect(response.headers.get("server-timing")).not.to.contain("finish");
  });
});
