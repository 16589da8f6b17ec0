import {
  compileText,
  rootTypes,
  type Scope,
} from "../../definition/expressions/index.js";
import { compilePdf } from "../compile/compile-pdf.js";
import { weightOf } from "../compile/pen.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { guardedFileName } from "../merge/file-name.js";
import type { MergeOptions } from "../merge/merge-options.js";
import type { MergedDocument, Program } from "../merge/merged-document.js";
import type { Run } from "../merge/run.js";
import { startMerge } from "../merge/start-merge.js";
import { compileMjml, type MjmlProgram } from "./compile-mjml.js";
import { compilePage } from "./email-page.js";
import { compilePaper } from "./email-paper.js";

/** An email template. */
export function compileEmail(definition: ProjectData): Program {
  const { email, schema } = definition;
  const mjml = compileMjml(definition);
  const parts: EmailParts = {
    mjml,
    page: compilePage(definition, mjml),
    paper: compilePaper(definition),
    pdf: compilePdf(definition.pdf, rootTypes(schema)),
    subject: compileText(
      email?.subject ?? "",
      "$.email.subject",
      rootTypes(schema),
    ),
  };
  return {
    weight: weightOf(mjml.source) * 2, // as MJML, and as html
    connection: schema[0]?.connection ?? null,
    // An email has no fields to sign.
    addressees: () => ({ submitters: [], message: null, expiresInDays: null }),
    mjml: (data, options) => mjml.merge(data, options),
    merge(data, options) {
      const { root, run } = startMerge(definition, data, options);
      return mergeEmail(parts, root, run, options);
    },
  };
}

interface EmailParts {
  mjml: MjmlProgram;
  page: ReturnType<typeof compilePage>;
  paper: ReturnType<typeof compilePaper>;
  pdf: ReturnType<typeof compilePdf>;
  subject: (root: Scope, output: "plain") => string;
}

function mergeEmail(
  { mjml, page, paper, pdf, subject }: EmailParts,
  root: Scope,
  run: Run,
  options: MergeOptions,
): MergedDocument {
  const printed = paper(page(root, run), options);
  run.checkSize(printed.html);
  return {
    ...printed,
    fileName: guardedFileName(mjml.name(root, "plain"), run),
    title: run.guardText(subject(root, "plain")),
    pdf: pdf(root, run),
    language: root.context.locale,
    assets: run.assets.references,
    overlay: null,
    signFields: [],
    report: {
      missing: run.missing,
      refusedImages: run.assets.refused,
      invalidCodes: run.invalidCodes,
      headers: "margin-box",
    },
  };
}
