import mjml2html from "mjml";
import { PlatenError } from "../../contract/index.js";
import { emailSkeleton, type EmailPage } from "./email-skeleton.js";

/**
 * The html of an MJML text, program source or merged.
 * MJML hands it out by a promise, which only its minifier needs: all that counts has happened when it calls
 * its skeleton, so there the page is taken, and merging stays synchronous.
 */
export function mjmlToHtml(mjml: string): string {
  let html: string | undefined;
  const options = {
    fonts: {},
    validationLevel: "skip",
    skeleton: (...[page]: EmailPage[]) => {
      html = page && emailSkeleton(page);
      return html ?? "";
    },
  } as const;
  void mjml2html(mjml, options);
  if (html !== undefined) return html;
  throw new PlatenError("internal", "MJML has not drawn the email at once.");
}
