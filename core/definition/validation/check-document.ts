import { checkTemplate, type ScopeTypes } from "../expressions/index.js";
import type { ProjectData } from "../schema/project-data.js";
import { checkConnection } from "./check-connection.js";
import { pathStep } from "./json-path.js";
import { reportAt, type Findings } from "./report.js";
import { ofStyle, optional, type TemplateString } from "./template-strings.js";

/** Second pass: the template strings that belong to the document itself; all of them see the root only. */
export function checkDocument(
  definition: ProjectData,
  root: ScopeTypes,
  findings: Findings,
): void {
  for (const { suffix, source } of documentStrings(definition))
    checkTemplate(source, root, reportAt(findings, `$${suffix}`));
  const connection = definition.schema[0]?.connection;
  if (connection) checkConnection(connection, root, findings);
}

function documentStrings(definition: ProjectData): TemplateString[] {
  const { email, styles = {} } = definition;
  return [
    ...optional(definition.fileName, ".fileName"),
    ...pageStrings(definition),
    ...pdfStrings(definition),
    ...optional(email?.subject, ".email.subject"),
    ...optional(email?.preheader, ".email.preheader"),
    ...Object.entries(styles).flatMap(([name, style]) =>
      ofStyle(style, `.styles${pathStep(name)}`),
    ),
  ];
}

function pageStrings({ page }: ProjectData): TemplateString[] {
  const { background, watermark } = page ?? {};
  return [
    ...(typeof background === "object"
      ? optional(background.image, ".page.background.image")
      : []),
    ...(typeof watermark === "object"
      ? [
          ...optional(watermark.text, ".page.watermark.text"),
          ...optional(watermark.image, ".page.watermark.image"),
        ]
      : optional(watermark, ".page.watermark")),
  ];
}

function pdfStrings({ pdf = {} }: ProjectData): TemplateString[] {
  return [
    ...optional(pdf.title, ".pdf.title"),
    ...optional(pdf.author, ".pdf.author"),
    ...optional(pdf.subject, ".pdf.subject"),
    ...(pdf.keywords ?? []).flatMap((word, at) =>
      optional(word, `.pdf.keywords[${at}]`),
    ),
  ];
}
