import { compileText, rootTypes, type Scope } from "../binding/index.js";
import { compileSource, type Render } from "../compile/compile-source.js";
import type { ProjectData } from "../definition/project-data.js";
import { hasVariableColumn } from "../definition/variable-column.js";
import { safeFileName } from "../merge/file-name.js";
import type { MergeOptions } from "../merge/merge-options.js";
import type { MergedDocument, Program } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { startMerge } from "../merge/start-merge.js";
import { compileMjml, type MjmlProgram } from "./compile-mjml.js";
import { onPaper } from "./email-paper.js";
import { mjmlToHtml } from "./mjml-to-html.js";

/** An email template. */
export function compileEmail(definition: ProjectData): Program {
  const { email, schema } = definition;
  const mjml = compileMjml(definition);
  const parts: EmailParts = {
    definition,
    mjml,
    html: compileHtml(definition, mjml),
    subject: compileText(
      email?.subject ?? "",
      "$.email.subject",
      rootTypes(schema),
    ),
  };
  return {
    weight: mjml.source.text.length * 4,
    mjml: (data, options) => mjml.merge(data, options),
    merge(data, options) {
      const { root, run } = startMerge(definition, data, options);
      return mergeEmail(parts, root, run, options);
    },
  };
}

interface EmailParts {
  definition: ProjectData;
  mjml: MjmlProgram;
  html: Render;
  subject: (root: Scope, output: "plain") => string;
}

/**
 * MJML becomes html once, with the program's tags in it, unless the number of columns depends on the record:
 * then it does for each record.
 */
function compileHtml(definition: ProjectData, mjml: MjmlProgram): Render {
  if (hasVariableColumn(definition.components))
    return (root, run) => mjmlToHtml(mjml.render(root, run));
  const { source } = mjml;
  return compileSource({ ...source, text: mjmlToHtml(source.text) });
}

function mergeEmail(
  { definition, mjml, html, subject }: EmailParts,
  root: Scope,
  run: Run,
  options: MergeOptions,
): MergedDocument {
  const printed = onPaper(html(root, run), definition, options);
  run.checkSize(printed.html);
  return {
    ...printed,
    fileName: safeFileName(mjml.name(root, "plain")),
    title: subject(root, "plain"),
    language: root.context.locale,
    assets: run.assets.references,
    overlay: null,
    signFields: [],
    report: {
      missing: run.missing,
      refusedImages: run.assets.refused,
      headers: "margin-box",
    },
  };
}
