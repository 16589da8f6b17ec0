import type { ComponentOf } from "./definition.js";

/** What is drawn where a definition says nothing of it. Lengths are as CSS has them, unless they name a unit. */
export interface DesignDefaults {
  pageMargin: Readonly<Record<"top" | "right" | "bottom" | "left", string>>;
  watermark: Readonly<{ color: string; opacity: number; angle: number }>;
  columnGap: string;
  pageNumber: string;
  signFields: Readonly<
    Record<ComponentOf<"sign-field">["field"], DesignSignField>
  >;
  qrcodeSize: string;
  barcodes: Readonly<
    Record<ComponentOf<"barcode">["symbology"], DesignBarcode>
  >;
  chartHeight: string;
  /** Of series and slices, in their order. */
  chartColors: readonly string[];
  email: DesignEmail;
}

export interface DesignSignField {
  width: string;
  height: string;
  /** Null for the field's own name. */
  caption: string | null;
}

/** One with a usual value, in mm. */
export interface DesignBarcode {
  width: number;
  /** Without the words below it. */
  height: number;
  wordsHeight: number;
  /** Whether its value stands below it when the definition does not say. */
  hasWords: boolean;
}

/** Of the frame that an email puts around its content; numbers are CSS px. */
export interface DesignEmail {
  width: number;
  /** How much of the ground is seen at each side of it. */
  ground: number;
  /** Of a section that gathers what stands in none. */
  sectionPadding: string;
  /** The room around content in a column. */
  inset: Readonly<{ sides: number; bottom: number }>;
  heroPadding: string;
  /** What part of its width a hero is high at least. */
  heroShare: number;
  /** How networks write their names, by the name in lower case. */
  networks: Readonly<Record<string, string>>;
}
