/** What MJML knows of an email when it has drawn the body. */
export interface EmailPage {
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

/** The page around an email's body, as mail programs want it. Also print shows the wide layout. */
export function emailSkeleton(page: EmailPage): string {
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
