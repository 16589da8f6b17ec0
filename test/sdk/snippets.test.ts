import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import {
  expectSuccess,
  installGenerators,
  packages,
  run,
} from "../support/generators.js";
import { suiteFolder } from "../support/store-folder.js";

const pages = ["sdk/README.md", "docs/how-to/use-the-typescript-client.md"];

/** What the snippets of a page take from the program around them. */
const surroundings = `
import type { Platen } from "@platen/client";

declare global {
  const platen: Platen;
  const templateId: string;
  const data: { number: string };
  const orders: { number: string }[];
  const items: { data: { number: string }; metadata: { order: number } }[];
  const readRows: () => AsyncIterable<{ number: string }>;
  const secret: string;
  const hookUrl: string;
  const done: (batchId: string) => void;
}
`;

describe("the snippets of the TypeScript client's pages", () => {
  const folder = suiteFolder();
  before(installGenerators);

  for (const page of pages)
    it(`compile in strict mode: ${page}`, async () => {
      const text = await readFile(page, "utf8");
      const snippets = [...text.matchAll(/^```ts\n([^]*?)^```$/gm)];
      expect(snippets).to.not.eql([]);
      const own = join(folder, page.replaceAll("/", "-"));
      await mkdir(own, { recursive: true });
      await writeFile(join(own, "surroundings.d.ts"), surroundings);
      for (const [index, [, code = ""]] of snippets.entries())
        await writeFile(join(own, `snippet-${index + 1}.ts`), code);
      await writeFile(
        join(own, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: {
            target: "ES2023",
            lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
            module: "ESNext",
            moduleResolution: "Bundler",
            moduleDetection: "force",
            strict: true,
            noEmit: true,
            skipLibCheck: true,
            types: ["node"],
            typeRoots: [resolve("node_modules/@types")],
            paths: { "@platen/client": [resolve("sdk/src/index.ts")] },
          },
        }),
      );
      const tsc = join(packages, "typescript", "bin", "tsc");
      expect(await expectSuccess(run(tsc, "-p", own))).to.equal("");
    });
});
