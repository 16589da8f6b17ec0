import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";

export interface SourceFile {
  path: string;
  text: string;
  /** Paths of the project's own files that it imports, as they stand in the source tree. */
  imports: string[];
}

/** Every TypeScript file of the service itself, with its imports (types included). */
export function sourceFiles(): SourceFile[] {
  const folders = ["core", "config", "plugins", "migrations"];
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(join(folder, name))),
  );
}

function read(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) =>
      entry.entries.map((one) => one.moduleRequest?.value ?? ""),
    ),
    ...module.dynamicImports.map((entry) =>
      text.slice(entry.moduleRequest.start + 1, entry.moduleRequest.end - 1),
    ),
  ];
  const imports = specifiers
    .filter((name) => name.startsWith("."))
    .map((name) =>
      normalize(join(dirname(path), name)).replace(/\.js$/, ".ts"),
    );
  return { path, text, imports: [...new Set(imports)] };
}
