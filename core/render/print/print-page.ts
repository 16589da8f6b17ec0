import type { SealedPage } from "../page/sealed-page.js";

/** The options of every print; the paper's size and margins come from the document's own `@page` rules. */
export const PRINT_OPTIONS = {
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: false,
  transferMode: "ReturnAsBase64",
} as const;

/** Prints one document. @throws PlatenError `render_failed`. */
export async function printPage(
  page: SealedPage,
  html: string,
  isTagged: boolean,
): Promise<Buffer> {
  await page.write(html);
  const { data } = await page.send("Page.printToPDF", {
    ...PRINT_OPTIONS,
    generateTaggedPDF: isTagged,
  });
  return Buffer.from(data, "base64");
}
