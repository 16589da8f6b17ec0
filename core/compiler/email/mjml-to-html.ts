import { createRequire } from "node:module";
import type mjml2html from "mjml";
import { PlatenError } from "../../plugin-api/index.js";

const require = createRequire(import.meta.url); // bundled

/**
 * The html of an MJML text, program source or merged. It reads no file and loads no font.
 * MJML hands it out by a promise, which only its minifier needs: all that counts has happened when it calls
 * its skeleton, so there the page is taken, and merging stays synchronous.
 * @throws PlatenError `internal` for what is no MJML
 */
export function mjmlToHtml(mjml: string): string {
  // Loaded with the first email: it takes half a second and 60 MB.
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
  // What is told only later is told by the error below.
  compiled.catch(() => undefined);
  if (html !== undefined) return withoutIndent(html);
  throw new PlatenError("internal", "MJML did not render the email.");
}

/** What MJML knows of an email when it has drawn the body. */
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

/** The page settings an email's body, as mail programs want it. Also print shows the wide layout. */
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
 * Html without the indentation that MJML gives it, a fifth of the page: Gmail cuts off what is longer than 102 kB.
 * Only white space with a line break goes, inside and between tags; texts stay as they were written.
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
