import { before } from "mocha";
import type { Config } from "../../config/index.js";
import { errorOf, newCaller, type TestCaller } from "./caller.js";
import { exported } from "./exporting.js";
import { type TestService, useService } from "./service.js";
import { definition, publish } from "./store-templates.js";

/** A service for the suite that calls this, and its answers to templates of the form that is given. */
export interface PdfMaker {
  service: TestService;
  caller: () => TestCaller;
  /** The stored PDF. */
  pdf: (template: object, body?: object) => Promise<Buffer>;
  /** What was said instead. */
  refusal: (template: object, body: object) => Promise<string>;
}

export function usePdfs(config: Partial<Config> = {}): PdfMaker {
  const service = useService({ config });
  let caller: TestCaller;
  before(async () => {
    caller = await newCaller(service);
  });
  const request = async (template: object, body: object) => {
    const whole = { definition: { ...definition, ...template } };
    const templateId = await publish(service.store, caller, whole);
    return { templateId, formats: ["pdf"], data: { name: "Ada" }, ...body };
  };
  return {
    service,
    caller: () => caller,
    pdf: async (template, body = {}) => {
      const { result } = await exported(caller, await request(template, body));
      const response = await fetch(result.pdf?.url ?? "");
      return Buffer.from(await response.arrayBuffer());
    },
    refusal: async (template, body) => {
      const asked = await request(template, body);
      return errorOf(await caller.post("/api/export", asked));
    },
  };
}

/** renderOptions with these for the PDF. */
export function ofPdf(pdf: object): object {
  return { renderOptions: { pdf } };
}
