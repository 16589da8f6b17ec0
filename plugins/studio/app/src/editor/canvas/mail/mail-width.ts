import type { DesignEmail } from "../../../../../../../core/plugin-api/design-defaults.js";

export const phoneWidth = 375;

/** Of an email and its ground, in CSS px. */
export function mailWidth(
  width: number | undefined,
  isPhone: boolean,
  usual: DesignEmail,
): number {
  return isPhone ? phoneWidth : (width ?? usual.width) + 2 * usual.ground;
}
