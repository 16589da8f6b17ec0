import { compileTemplate, type Program } from "../../../core/compiler/index.js";
import { mjmlToHtml } from "../../../core/compiler/email/compile-email.js";
import { accepted, OPTIONS, type Written } from "../support.js";

/** A condition that holds where `root.on` is "y". */
export const isOn = {
  combinator: "and",
  rules: [{ field: "root.on", operator: "=", value: "y" }],
};

/** A section of one column. */
export function section(components: object[], more: object = {}): object {
  return {
    type: "section",
    components: [{ type: "column", components }],
    ...more,
  };
}

export function email(written: Written): Program {
  return compileTemplate(accepted(written, "email"), "email");
}

export function mergeHtml(written: Written, data: object = {}): string {
  return email(written).merge(data, OPTIONS).html;
}

interface Email {
  /** Without style sheets, color schemes, white space between tags, and the label of a page without a title. */
  page: string;
  /** Lines of its style sheets. */
  styles: string[];
}

/** A record merged into the compiled html, and the html of the MJML with the same record merged. */
export function renderBothWays(
  program: Program,
  data: object,
  options = OPTIONS,
) {
  const merged = program.merge(data, options).html;
  const { mjml } = program.mjml(data, options);
  return { merged: read(merged), compiled: read(mjmlToHtml(mjml)) };
}

function read(html: string): Email {
  const sheet = /<style>([^]*?)<\/style>/g;
  return {
    page: html
      .replace(sheet, "")
      .replaceAll(/<meta name="(?:supported-)?color-schemes?"[^>]*>/g, "")
      .replace(' aria-label=""', "")
      .replace(/\s+/g, " ")
      .replaceAll("> <", "><"),
    styles: [...html.matchAll(sheet)].flatMap((one) =>
      (one[1] ?? "").split("\n").map((line) => line.trim()),
    ),
  };
}
