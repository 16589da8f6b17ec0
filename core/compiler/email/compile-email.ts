import { createRequire } from "node:module";
import type mjml2html from "mjml";
import {
  compileText,
  rootTypes,
  type Scope,
} from "../../definition/expressions/index.js";
import { px, layOutPaper, type Paper } from "../../definition/page/paper.js";
import { compileEinvoice } from "../einvoice/index.js";
import type { ProjectData } from "../../definition/schema/definition-schema.js";
import { hasVariableColumn } from "../../definition/schema/placement.js";
import { compileDataChecker } from "../../definition/validation/check-data.js";
import { checkBudget } from "../../lib/time-budget.js";
import { PlatenError } from "../../plugin-api/index.js";
import { compilePdf } from "../compile-pdf.js";
import type {
  MergedDocument,
  Program,
  MergedMjml,
  MergeOptions,
} from "../program.js";
import { mergeTexts, type StartMerge, compileStart } from "../start-merge.js";
import type { Run } from "../merge-run.js";
import { testMark, WATERMARK_STYLE } from "../page/sheet.js";
import {
  compileSource,
  type Render,
  compact,
  estimateWeight,
  type Source,
} from "../source.js";
import { darkRules } from "./dark-mode.js";
import { emailMjml } from "./email-mjml.js";
import { EMAIL_FRAME } from "./email-style.js";

/**
 * Compiles an email template.
 * @param page made by `compileMjmlPage`; made here if it is left out
 */
export function compileEmail(definition: ProjectData, page?: string): Program {
  const { fileName, email, schema } = definition;
  const types = rootTypes(schema);
  const start = compileStart(definition);
  const mjml = compileMjml(definition, start);
  const subject = email?.subject ?? "";
  const parts: EmailParts = {
    page: compileEmailPage(definition, mjml, page),
    paper: compilePaper(definition),
    pdf: compilePdf(definition.pdf, types),
    subject: compileText(subject, "$.email.subject", types),
    name: compileText(fileName ?? subject, "$.fileName", types),
  };
  return {
    weight: estimateWeight(mjml.source) * 2, // as MJML, and as html
    checkData: compileDataChecker(schema),
    connection: schema[0]?.connection ?? null,
    // An email has no fields to sign.
    addressees: () => ({
      submitters: [],
      message: null,
      expiresInDays: null,
      redirectUrl: null,
    }),
    mjml: (data, options) => mjml.merge(data, options),
    einvoice: (data, options) => compileEinvoice(definition)(data, options),
    texts: (...input) => mergeTexts(definition, ...input),
    merge(data, options) {
      const { root, run } = start(data, options);
      return mergeEmail(parts, root, run, options);
    },
  };
}

interface EmailParts {
  page: ReturnType<typeof compileEmailPage>;
  paper: ReturnType<typeof compilePaper>;
  pdf: ReturnType<typeof compilePdf>;
  subject: (root: Scope, output: "plain") => string;
  name: (root: Scope, output: "plain") => string;
}

function mergeEmail(
  { page, paper, pdf, subject, name }: EmailParts,
  root: Scope,
  run: Run,
  options: MergeOptions,
): MergedDocument {
  const printed = paper(page(root, run), options);
  const settings = pdf(root, run);
  run.checkSize(printed.html);
  return {
    ...printed,
    fileName: run.guardFileName(name(root, "plain")),
    title: run.guardText(subject(root, "plain")),
    pdf: settings,
    language: root.context.locale,
    assets: run.assets.references,
    overlay: null,
    headers: null,
    signFields: [],
    sequences: run.sequences,
    report: {
      ...run.report(options.conformance ?? settings.conformance),
      headers: "margin-box",
    },
  };
}

interface MjmlProgram {
  source: Source;
  render: Render;
  merge(data: unknown, options: MergeOptions): MergedMjml;
}

export function compileMjml(
  definition: ProjectData,
  start: StartMerge,
): MjmlProgram {
  const source = emailMjml(definition);
  const draw = compileSource(source);
  const render: Render = (root, run) => withoutCarriers(draw(root, run));
  return {
    source,
    render,
    merge(data, options) {
      const { root, run } = start(data, options);
      const mjml = render(root, run);
      run.checkSize(mjml);
      return { mjml, assets: run.assets.references };
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

/** Whether the number of columns depends on the record: then MJML is converted to html for each record. */
export function needsConversion({ components }: ProjectData): boolean {
  return hasVariableColumn(components);
}

/** Converts the MJML of an email to html once, with the tags of the program in it. */
export function compileMjmlPage(definition: ProjectData): string {
  return mjmlToHtml(emailMjml(definition).text);
}

function compileEmailPage(
  definition: ProjectData,
  mjml: MjmlProgram,
  converted?: string,
): (root: Scope, run: Run) => PageParts {
  if (needsConversion(definition))
    return (root, run) => cutPage(mjmlToHtml(mjml.render(root, run)));
  const { source } = mjml;
  const { head, body, end } = cutPage(converted ?? mjmlToHtml(source.text));
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
      email?.darkMode !== "off",
    );
  const defaultLayout = lay();
  return (cut, { isTest, renderOptions }) =>
    (renderOptions ? lay(renderOptions) : defaultLayout)(cut, isTest);
}

function putOnPaper(
  paper: Paper,
  background: string,
  windowPx: number,
  isDark: boolean,
): PutOnPaper {
  const { cssSize, margin, widthPx, heightPx } = paper;
  const sides = [margin.top, margin.right, margin.bottom, margin.left];
  const style =
    `<style>\n@page{size:${cssSize};margin:${sides.map(px).join(" ")};background:${background}}\n` +
    "@media print{html{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";
  const mark = testMark(paper);
  return ({ head, body, end }, isTest) => ({
    html:
      `${head}${isDark ? darkStyle(body) : LIGHT_ONLY}${style}` +
      (isTest
        ? `${WATERMARK_STYLE}\n</style>\n${body}${mark}${end}`
        : `</style>\n${body}${end}`),
    page: { widthPx, heightPx, margin, windowPx },
  });
}

/** In mail programs that know it, the email keeps its colors. */
const LIGHT_ONLY =
  '<meta name="color-scheme" content="light only">\n<meta name="supported-color-schemes" content="light">\n';

/** A style sheet of its own, since Gmail drops a whole one for what it does not know. */
function darkStyle(body: string): string {
  return (
    '<meta name="color-scheme" content="light dark">\n<meta name="supported-color-schemes" content="light dark">\n' +
    `<style>\n:root{color-scheme:light dark}\n${darkRules(body)}</style>\n`
  );
}

/** How long the shortest email takes. */
const MJML_MS = 20;

const require = createRequire(import.meta.url); // bundled

/**
 * Converts MJML, either program source or merged, to html. It reads no files and loads no fonts. MJML returns a promise
 * only because of its minifier; the page is complete when it calls the skeleton, so it is captured there and merging
 * stays synchronous.
 * @throws PlatenError `internal` for invalid MJML
 */
export function mjmlToHtml(mjml: string): string {
  checkBudget(MJML_MS);
  // Loaded on first use because it takes half a second and 60 MB.
  const compile: typeof mjml2html = require("mjml");
  let html: string | undefined;
  const compiled = compile(mjml, {
    fonts: {},
    ignoreIncludes: true,
    filePath: "",
    validationLevel: "skip",
    skeleton: (...[page]: EmailPage[]) => {
      html = page && emailSkeleton(page);
      return html ?? "";
    },
  });
  // The error below covers later rejections.
  compiled.catch(() => undefined);
  if (html !== undefined) return withoutIndent(html);
  throw new PlatenError("internal", "MJML did not render the email.");
}

/** The data that MJML passes to its skeleton. */
interface EmailPage {
  content: string;
  title: string;
  lang: string;
  dir: string;
  breakpoint: string;
  /** Rules by class, for screens wider than the breakpoint. */
  mediaQueries: Readonly<Record<string, string>>;
  headStyle: Readonly<Record<string, (breakpoint: string) => string>>;
  componentsHeadStyle: readonly ((breakpoint: string) => string)[];
}

const RESET = `
#outlook a { padding: 0; }
body { margin: 0; padding: 0; -webkit-text-size-adjust: 100%; -ms-text-size-adjust: 100%; }
table, td { border-collapse: collapse; mso-table-lspace: 0pt; mso-table-rspace: 0pt; }
img { border: 0; height: auto; line-height: 100%; outline: none; text-decoration: none; -ms-interpolation-mode: bicubic; }
p { display: block; margin: 0; }
a { color: inherit; }
`.trim();

/** The page around the body of an email, as mail programs need it. Print also uses the wide layout. */
function emailSkeleton(page: EmailPage): string {
  const { content, title, lang, dir, breakpoint } = page;
  const wide = Object.entries(page.mediaQueries)
    .map(([name, rule]) => `.${name} ${rule}`)
    .join("\n");
  const styles = [...page.componentsHeadStyle, ...Object.values(page.headStyle)]
    .map((style) => style(breakpoint))
    .join("\n");
  return `<!doctype html>
<html lang="${lang}" dir="${dir}" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">
<head>
<title>${title}</title>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting">
<!--[if mso]>
<noscript><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>
<![endif]-->
<style>
${RESET}
@media only screen and (min-width: ${breakpoint}), print {
${wide}
}
${styles}
</style>
</head>
${content}
</html>
`;
}

/**
 * Removes the indentation of MJML, a fifth of the page: Gmail truncates messages of more than 102 kB. Only white space
 * with a newline in and between tags is removed; text is unchanged.
 */
function withoutIndent(html: string): string {
  return html.replace(/\s+/g, (space, at: number) => {
    if (!space.includes("\n")) return space;
    const before = html.slice(Math.max(0, at - MAX_TAG_LENGTH), at);
    const after = html.slice(at + space.length, at + space.length + 2);
    if (after.startsWith(">")) return "";
    if (/<\w+$/.test(before)) return " ";
    return /(>|%\})$/.test(before) && /^(<|\{%)/.test(after) ? "\n" : space;
  });
}

const MAX_TAG_LENGTH = 24; // of a tag
