import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFile } from "node:fs/promises";

// Writes what the linter does not like about the document.

const config = await createConfig({ extends: ["recommended"] });
const source = await readFile("generated/openapi.json", "utf8");
const problems = await lintFromString({ source, config });
const texts = problems.map(
  ({ ruleId, message, location: [place] }) =>
    `${ruleId}: ${message} ${place?.pointer ?? ""}`,
);
process.stdout.write(texts.map((text) => `${text}\n`).join(""));
