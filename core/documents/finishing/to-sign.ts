import type { Finishing, PdfProperties } from "../../rendering/pdf/index.js";
import { signLinks, withoutFieldTags } from "../../compiler/index.js";

/** For a document that goes to signing: its field links are taken out, and no word brings a field of a provider's. */
export function toSign(finishing: Finishing, nonce: string): Finishing {
  const { properties, attachments } = finishing;
  return {
    ...finishing,
    ...(properties && { properties: guarded(properties) }),
    attachments: attachments.map(({ name, description, ...file }) => ({
      ...file,
      name: withoutFieldTags(name),
      ...(description !== undefined && {
        description: withoutFieldTags(description),
      }),
    })),
    signLinks: signLinks(nonce),
  };
}

function guarded({ keywords, ...texts }: PdfProperties): PdfProperties {
  const entries = Object.entries(texts).map(
    ([name, text]) => [name, withoutFieldTags(text)] as const,
  );
  return {
    ...Object.fromEntries(entries),
    ...(keywords && { keywords: keywords.map(withoutFieldTags) }),
  };
}
