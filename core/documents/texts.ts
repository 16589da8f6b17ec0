import {
  type AssetReference,
  linkAssets,
  linkVideos,
  type MergedDocument,
  type MergedMjml,
} from "../compiler/index.js";
import type { PrintableDocument } from "./printable-document.js";
import type { RenderRun } from "./render-run.js";
import type { Pictures, ResolvedAssets } from "./pictures/index.js";
import type { TemplateToRender } from "./template-to-render.js";

/** The formats that are text. */
export interface TextFormats {
  html: string;
  /** Null when it was not asked for. */
  mjml: string | null;
}

/**
 * In a mail, images stay where they are, on other machines or in the library: its reader fetches them, and many show
 * none that came along in the text. A document holds all it shows.
 */
export function textFormats(
  { templateType }: Pick<TemplateToRender, "templateType">,
  made: {
    document: PrintableDocument;
    merged: MergedDocument;
    mjml: MergedMjml | null;
    assets: ResolvedAssets;
  },
): TextFormats {
  const { document, merged, mjml, assets } = made;
  const link = (text: string, of: Pick<MergedDocument, "assets">) => {
    const html = linkVideos(text, assets.videos);
    const { byToken, addresses } = assets;
    return linkAssets({ html, assets: of.assets }, byToken, addresses);
  };
  return {
    html: templateType === "email" ? link(merged.html, merged) : document.html,
    mjml: mjml && link(mjml.mjml, mjml),
  };
}

/** The images that a format that was asked for holds: text that goes by mail can do with addresses. */
export function imagesThatShow(
  {
    request: { formats, preview, signing },
    template: { templateType },
  }: Pick<RenderRun, "request" | "template">,
  references: readonly AssetReference[],
  pictures: Pick<Pictures, "isElsewhere">,
): AssetReference[] {
  const isMail =
    preview === "none" &&
    signing === null &&
    formats.every(
      (format) =>
        format === "mjml" || (format === "html" && templateType === "email"),
    );
  return references.filter((one) => !isMail || !pictures.isElsewhere(one));
}
