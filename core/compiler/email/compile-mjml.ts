import {
  compileText,
  rootTypes,
  type Scope,
} from "../../definition/expressions/index.js";
import { compileSource, type Render } from "../compile/compile-source.js";
import type { Source } from "../compile/pen.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { safeFileName } from "../merge/file-name.js";
import type { MergeOptions } from "../merge/merge-options.js";
import type { MergedMjml } from "../merge/merged-document.js";
import { startMerge } from "../merge/start-merge.js";
import { emailMjml } from "./email-mjml.js";

export interface MjmlProgram {
  source: Source;
  render: Render;
  /** The file name, not yet made fit for one. */
  name: (root: Scope, output: "plain") => string;
  merge(data: unknown, options: MergeOptions): MergedMjml;
}

/** A template's MJML as a program. */
export function compileMjml(definition: ProjectData): MjmlProgram {
  const source = emailMjml(definition);
  const draw = compileSource(source);
  const render: Render = (root, run) => withoutCarriers(draw(root, run));
  const { fileName, email, schema } = definition;
  const name = compileText(
    fileName ?? email?.subject ?? "",
    "$.fileName",
    rootTypes(schema),
  );
  return {
    source,
    render,
    name,
    merge(data, options) {
      const { root, run } = startMerge(definition, data, options);
      const mjml = render(root, run);
      run.checkSize(mjml);
      return {
        mjml,
        fileName: safeFileName(name(root, "plain")),
        assets: run.assets.references,
        report: { missing: run.missing, refusedImages: run.assets.refused },
      };
    },
  };
}

/** The guards are gone when the data is merged; what carried them goes too. */
function withoutCarriers(mjml: string): string {
  return mjml.replaceAll("<mj-raw></mj-raw>", "");
}
