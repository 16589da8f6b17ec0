import { createRequire } from "node:module";
import type mjml2html from "mjml";
import { PlatenError } from "../../plugin-api/index.js";
import { emailSkeleton, type EmailPage } from "./email-skeleton.js";
import { withoutIndent } from "./without-indent.js";

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
  throw new PlatenError("internal", "MJML could not draw the email.");
}
