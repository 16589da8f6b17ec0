import { compileSource } from "../compile/compile-source.js";
import type { ProjectData } from "../../definition/schema/project-data.js";
import { hasVariableColumn } from "../../definition/schema/variable-column.js";
import type { Scope } from "../../definition/expressions/index.js";
import { compact } from "../output/compact.js";
import type { Run } from "../merge/run.js";
import type { MjmlProgram } from "./compile-mjml.js";
import { mjmlToHtml } from "./mjml-to-html.js";

/** An email's html, cut where its head and its body end: there print and a test have something to add. */
export interface PageParts {
  head: string;
  body: string;
  end: string;
}

/**
 * MJML becomes html once, with the program's tags in it, unless the number of columns depends on the record:
 * then it does for each record.
 */
export function compilePage(
  definition: ProjectData,
  mjml: MjmlProgram,
): (root: Scope, run: Run) => PageParts {
  if (hasVariableColumn(definition.components))
    return (root, run) => cutPage(mjmlToHtml(mjml.render(root, run)));
  const { source } = mjml;
  const { head, body, end } = cutPage(mjmlToHtml(source.text));
  const drawHead = compileSource({ ...source, text: head });
  const drawBody = compileSource({ ...source, text: body });
  const compactEnd = compact(end);
  return (root, run) => ({
    head: drawHead(root, run),
    body: drawBody(root, run),
    end: compactEnd,
  });
}

/** No text of an email can look like these tags: it is escaped. */
function cutPage(html: string): PageParts {
  const headEnd = html.indexOf("</head>");
  const bodyEnd = html.lastIndexOf("</body>");
  return {
    head: html.slice(0, headEnd),
    body: html.slice(headEnd, bodyEnd),
    end: html.slice(bodyEnd),
  };
}
