import { PlatenError } from "../../plugin-api/index.js";
import type { ComponentOf } from "../../definition/schema/component-schema.js";
import { drawBarcode, drawPlaceholder, drawQrcode } from "../drawing/index.js";
import { attributes } from "./emit-text.js";
import type { EmitContext } from "./emit-context.js";

type Code = ComponentOf<"qrcode"> | ComponentOf<"barcode">;

export const DEFAULT_QRCODE_SIZE = "28mm";

export function emitQrcode(
  component: ComponentOf<"qrcode">,
  context: EmitContext,
): string {
  const { ecc, size = DEFAULT_QRCODE_SIZE } = component;
  const opening = attributes(component, context, {
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
  const opening = attributes(component, context, { classes: ["code"] });
  return emitCode(component, context, opening, (value) =>
    drawBarcode({ value, symbology, showText, height }),
  );
}

/** Iterations: a code takes as long as many rows of text, and the longer its value the longer. */
function estimateCost(value: string): number {
  return 10 + Math.floor(value.length / 4);
}

/** Nothing is drawn where the value is empty; one that the code cannot carry fails, or is shown as such. */
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
