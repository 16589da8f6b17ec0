export const defaultWidth = 600;
export const phoneWidth = 375;
/** As much ground as shows at each side of an email. */
const around = 60;

/** Of an email and its ground, in CSS px. */
export function mailWidth(width: number | undefined, isPhone: boolean): number {
  return isPhone ? phoneWidth : (width ?? defaultWidth) + 2 * around;
}
