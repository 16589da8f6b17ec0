import { createContext, runInContext } from "node:vm";
import { expect } from "chai";
import { build } from "esbuild";
import { z } from "zod";
import { newCaller } from "../support/caller.js";
import { useService } from "../support/service.js";

/** What every runtime for servers has, and nothing of Node. */
const webGlobals = {
  AbortController,
  AbortSignal,
  Blob,
  Headers,
  ReadableStream,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  atob,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
};

describe("the bundle of the TypeScript client", () => {
  const service = useService();
  let script = "";
  let imports: unknown[] = [];

  before(async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ["sdk/src/index.ts"],
      bundle: true,
      write: false,
      metafile: true,
      platform: "neutral",
      format: "iife",
      globalName: "client",
      target: "es2022",
    });
    script = outputFiles[0]?.text ?? "";
    imports = Object.values(metafile.inputs).flatMap((input) =>
      input.imports.filter(({ external }) => external),
    );
  });

  const evaluate = (code: string, globals = {}): unknown => {
    const context = createContext({ ...webGlobals, ...globals });
    return runInContext(`${script};\n${code}`, context);
  };

  it("imports nothing", () => {
    expect(imports).to.eql([]);
  });

  it("renders on a runtime that has the globals of the web alone, and says there that it cannot save files", async () => {
    const caller = await newCaller(service);
    const templateId = await caller.publish();
    const input = [{ baseUrl: service.url, apiKey: caller.key }, templateId];
    const result = await evaluate(
      `(async ([options, templateId]) => {
        const platen = new client.Platen(options);
        const { pdf } = await platen.render(templateId, {});
        const bytes = await pdf.bytes();
        const error = await pdf.save("a.pdf").catch((error) => error);
        return { start: new TextDecoder().decode(bytes.slice(0, 5)), error: error.message };
      })(${JSON.stringify(input)})`,
    );
    expect(
      z.object({ start: z.string(), error: z.string() }).parse(result),
    ).to.eql({
      start: "%PDF-",
      error:
        "This runtime has no file system to save files to. Use stream() or bytes().",
    });
  });

  it("refuses to run in a browser", () => {
    const navigator = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox" };
    const create = `new client.Platen({ baseUrl: "https://a.example", apiKey: "k" })`;
    expect(() => evaluate(create, { navigator })).to.throw(
      "@platen/client does not run in a browser, because anyone could read the API key there. Call Platen from your server.",
    );
  });
});
