declare module "subset-font" {
  /** Keeps the glyphs of a text and everything that joins and places them. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: "woff2" | "truetype";
      /** By default, those that browsers apply. */
      keepFeatures?: readonly string[];
    },
  ): Promise<Buffer>;
}
