import { toFileName } from "../../lib/file-name.js";
import {
  compileText,
  rootTypes,
  type Scope,
} from "../../definition/expressions/index.js";
import { px, layOutPaper, type Paper } from "../../definition/page/paper.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { hasVariableColumn } from "../../definition/schema/placement.js";
import { compilePdf } from "../compile-pdf.js";
import {
  compileSource,
  type Render,
  compact,
  estimateWeight,
  type Source,
} from "../source.js";
import {
  type MergedDocument,
  type Program,
  type MergedMjml,
  guardedFileName,
  type MergeOptions,
  type Run,
  startMerge,
} from "../merge-run.js";
import { testMark, WATERMARK_STYLE } from "../page/sheet.js";
import { emailMjml } from "./email-mjml.js";
import { EMAIL_FRAME } from "./email-style.js";
import { mjmlToHtml } from "./mjml-to-html.js";

/** Compiles an email template. */
export function compileEmail(definition: ProjectData): Program {
  const { email, schema } = definition;
  const mjml = compileMjml(definition);
  const parts: EmailParts = {
    mjml,
    page: compileEmailPage(definition, mjml),
    paper: compilePaper(definition),
    pdf: compilePdf(definition.pdf, rootTypes(schema)),
    subject: compileText(
      email?.subject ?? "",
      "$.email.subject",
      rootTypes(schema),
    ),
  };
  return {
    weight: estimateWeight(mjml.source) * 2, // as MJML, and as html
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
  page: ReturnType<typeof compileEmailPage>;
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

interface MjmlProgram {
  source: Source;
  render: Render;
  /** The unsanitized file name. */
  name: (root: Scope, output: "plain") => string;
  merge(data: unknown, options: MergeOptions): MergedMjml;
}

/** Compiles the MJML of a template. */
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
        fileName: toFileName(name(root, "plain")),
        assets: run.assets.references,
        report: { missing: run.missing, refusedImages: run.assets.refused },
      };
    },
  };
}

/** After merging, the elements that carried block tags are empty. */
function withoutCarriers(mjml: string): string {
  return mjml.replaceAll("<mj-raw></mj-raw>", "");
}

/** The html of an email, split at the ends of head and body, where print styles and a test mark are inserted. */
interface PageParts {
  head: string;
  body: string;
  end: string;
}

/**
 * Converts MJML to html once, with the tags of the program in it, unless the number of columns depends on the record:
 * then it is converted for each record.
 */
function compileEmailPage(
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

/** Text is escaped, so it cannot contain these tags. */
function cutPage(html: string): PageParts {
  const headEnd = html.indexOf("</head>");
  const bodyEnd = html.lastIndexOf("</body>");
  return {
    head: html.slice(0, headEnd),
    body: html.slice(headEnd, bodyEnd),
    end: html.slice(bodyEnd),
  };
}

type Printed = Pick<MergedDocument, "html" | "page">;

type PutOnPaper = (page: PageParts, isTest: boolean) => Printed;

/** Adds print styles and a test mark to emails; mail programs ignore both. */
function compilePaper({
  page,
  email,
}: ProjectData): (page: PageParts, options: MergeOptions) => Printed {
  const lay = (options?: MergeOptions["renderOptions"]) =>
    putOnPaper(
      layOutPaper({ margin: "10mm", ...page }, options),
      email?.background ?? "#ffffff",
      (email?.width ?? EMAIL_FRAME.width) + 2 * EMAIL_FRAME.ground,
    );
  const own = lay();
  return (cut, { isTest, renderOptions }) =>
    (renderOptions ? lay(renderOptions) : own)(cut, isTest);
}

function putOnPaper(
  paper: Paper,
  background: string,
  windowPx: number,
): PutOnPaper {
  const { cssSize, margin, widthPx, heightPx } = paper;
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  const style =
    `<style>\n@page{size:${cssSize};margin:${sides.map(px).join(" ")};background:${background}}\n` +
    "@media print{html{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";
  const mark = testMark(paper);
  return ({ head, body, end }, isTest) => ({
    html: isTest
      ? `${head}${style}${WATERMARK_STYLE}\n</style>\n${body}${mark}${end}`
      : `${head}${style}</style>\n${body}${end}`,
    page: { widthPx, heightPx, margin, windowPx },
  });
}
