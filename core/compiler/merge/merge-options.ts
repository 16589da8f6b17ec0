import type { RenderOptions } from "../../definition/schema/render-options.js";
import type { MergeLimits } from "./limits.js";

export interface MergeOptions {
  /** A watermark that nobody can overlook is drawn over the document. */
  isTest: boolean;
  /** What TODAY() and NOW() give. */
  now: Date;
  renderOptions?: RenderOptions;
  limits?: Partial<MergeLimits>;
  /** Set when the document goes to signing: part of the links that mark its fields; letters and digits, secret. */
  signingNonce?: string;
  /** What becomes of a barcode or QR code whose value it cannot carry. Default "fail". */
  invalidCodes?: "fail" | "placeholder";
}
