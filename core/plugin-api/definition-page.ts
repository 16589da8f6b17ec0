import type { Component } from "./definition-component.js";

// The paper of a document template, and what is printed on every sheet of it. Lengths bear their unit: `12mm`.

export type PageSize =
  "A4" | "A3" | "A5" | "Letter" | "Legal" | "Tabloid" | "Custom";

/** One length for all sides, or one for each; a side left out keeps its default. */
export type Margin =
  | string
  | {
      top?: string | undefined;
      right?: string | undefined;
      bottom?: string | undefined;
      left?: string | undefined;
    };

/** A header or footer: its components, and the least height that it takes. */
export type Band =
  Component[] | { components: Component[]; height?: string | undefined };

/** A colour, or more. */
export type Background =
  | string
  | {
      color?: string | undefined;
      /** The address of a picture. */
      image?: string | undefined;
      fit?: "contain" | "cover" | "fill" | undefined;
    };

/** Its text, or more. */
export type Watermark =
  | string
  | {
      text?: string | undefined;
      /** The address of a picture. */
      image?: string | undefined;
      color?: string | undefined;
      /** 0 to 1. */
      opacity?: number | undefined;
      /** In degrees. */
      angle?: number | undefined;
      fontSize?: string | undefined;
    };

export interface PageSetup {
  size?: PageSize | undefined;
  /** Of paper of the size `Custom`. */
  width?: string | undefined;
  height?: string | undefined;
  landscape?: boolean | undefined;
  margin?: Margin | undefined;
  header?: Band | undefined;
  footer?: Band | undefined;
  firstHeader?: Band | undefined;
  firstFooter?: Band | undefined;
  background?: Background | undefined;
  watermark?: Watermark | undefined;
}
