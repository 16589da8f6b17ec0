import { createRequire } from "node:module";
import type mjml2html from "mjml";
import { PlatenError } from "../../plugin-api/index.js";

const require = createRequire(import.meta.url); // bundled

/**
 * Converts MJML, either program source or merged, to html. It reads no files and loads no fonts. MJML returns a promise
 * only because of its minifier; the page is complete when it calls the skeleton, so it is captured there and merging
 * stays synchronous.
 * @throws PlatenError `internal` for invalid MJML
 */
export function mjmlToHtml(mjml: string): string {
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
