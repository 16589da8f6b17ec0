import { PlatenError } from "../../plugin-api/index.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { drawBarcode, drawPlaceholder, drawQrcode } from "../drawing/index.js";
import { emitAttributes } from "./emit-text.js";
import type { EmitContext } from "./emit-context.js";

type Code = ComponentOf<"qrcode"> | ComponentOf<"barcode">;

export const DEFAULT_QRCODE_SIZE = "28mm";

export function emitQrcode(
  component: ComponentOf<"qrcode">,
  context: EmitContext,
): string {
  const { ecc, size = DEFAULT_QRCODE_SIZE } = component;
  const opening = emitAttributes(component, context, {
    classes: ["code"],
    style: { width: size, height: size },
  });
  return emitCode(component, context, opening, (value) =>
    drawQrcode({ value, ecc }),
  );
}

export function emitBarcode(
  component: ComponentOf<"barcode">,
  context: EmitContext,
): string {
  const { symbology, showText, height } = component;
  const opening = emitAttributes(component, context, { classes: ["code"] });
  return emitCode(component, context, opening, (value) =>
    drawBarcode({ value, symbology, showText, height }),
  );
}

/** A code costs as many iterations as several rows of text, more for longer values. */
function estimateCost(value: string): number {
  return 10 + Math.floor(value.length / 4);
}

/** Renders nothing for an empty value. A value that the code cannot encode fails the merge or shows a placeholder. */
function emitCode(
  component: Code,
  context: EmitContext,
  opening: string,
  draw: (value: string) => string,
): string {
  const { path } = context;
  const value = context.compiled(component.value, "plain");
  const svg = context.value((scope, run) => {
    const text = value(scope);
    scope.context.spend(estimateCost(text));
    try {
      return draw(text);
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      if (!run.drawsPlaceholders)
        throw new PlatenError("merge_failed", `${path}: ${error.message}`);
      run.reportInvalidCode(path, error.message);
      return drawPlaceholder({ label: error.message });
    }
  });
  return context.whenTrue(
    (scope) => value(scope) !== "",
    `<div${opening}>${svg}</div>`,
  );
}
