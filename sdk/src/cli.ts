#!/usr/bin/env node
// `platen-types`: writes the types of templates' data. The only part of the package that needs Node.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Platen } from "./index.js";
import { readDataTypes } from "./data-types.js";

const usage = `Usage: platen-types --url <url> [--template <id>]... [--out <file>]

Writes TypeScript types for the data of templates: those named, or all active ones.

  --url <url>      Address of the service
  --template <id>  Template ID; may be given several times
  --out <file>     File to write, such as platen-data.d.ts (default: stdout)

The API key is read from PLATEN_API_KEY and needs the scope templates:read.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      template: { type: "string", multiple: true },
      out: { type: "string" },
      url: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const platen = new Platen({
    baseUrl: values.url ?? "",
    apiKey: process.env["PLATEN_API_KEY"] ?? "",
  });
  const text = await readDataTypes(platen, values.template);
  if (values.out === undefined) process.stdout.write(text);
  else await writeFile(values.out, text);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `platen-types: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
