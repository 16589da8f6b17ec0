import type { ComponentOf } from "../../../../../core/plugin-api/definition.js";
import { getPrinted, useSampleScope } from "../../scope/sample-scope.js";
import { useCanvas } from "../canvas-state.js";
import { toPlainText } from "./component-text.js";
import {
  useElementProps,
  resolveTemplate,
  type ViewProps,
} from "./element-props.js";

/** A pattern in the size of the QR code. Only the print has the real code. */
export function QrCodeView({ component, place }: ViewProps<"qrcode">) {
  const { qrcodeSize } = useCanvas().editor.design.defaults;
  const { size = qrcodeSize, value } = component;
  const elementProps = useElementProps(component, place, {
    classes: ["code"],
    style: { width: size, height: size },
  });
  return (
    <div {...elementProps}>
      <svg
        viewBox="-3.5 -3.5 32 32"
        aria-hidden="true"
        shape-rendering="crispEdges"
      >
        <path d={getMatrixPath(25, value)} fill="#0f1524" />
      </svg>
      <CodeValue value={value} />
    </div>
  );
}

/** A pattern in the size of a barcode with a typical value, with its text below. */
export function BarcodeView({ component, place }: ViewProps<"barcode">) {
  const { symbology, value, showText } = component;
  const usual = useCanvas().editor.design.defaults.barcodes[symbology];
  const elementProps = useElementProps(component, place, { classes: ["code"] });
  const hasWords = showText ?? usual.hasWords;
  const words = hasWords ? usual.wordsHeight : 0;
  // A given height includes the text, except for symbologies that show none by default.
  const beside = usual.hasWords ? 0 : words;
  const height =
    component.height === undefined
      ? `${usual.height + words}mm`
      : `calc(${component.height} + ${beside}mm)`;
  return (
    <div {...elementProps}>
      <div class="barcode" style={{ width: `${usual.width}mm`, height }}>
        <BarcodeShape symbology={symbology} value={value} />
        {hasWords && <CodeWords component={component} heightMm={words} />}
      </div>
      <CodeValue value={value} />
    </div>
  );
}

interface CodeWordsProps {
  component: ComponentOf<"barcode">;
  heightMm: number;
}

function CodeWords({ component: { id, value }, heightMm }: CodeWordsProps) {
  const { editor } = useCanvas();
  const scope = useSampleScope();
  const shown = editor.showsValues.value
    ? resolveTemplate(value, id, getPrinted(scope, editor))
    : null;
  return (
    <div class="code-text" style={{ height: `${heightMm}mm` }}>
      {shown ?? toPlainText(value)}
    </div>
  );
}

interface BarcodeShapeProps {
  symbology: ComponentOf<"barcode">["symbology"];
  value: string;
}

function BarcodeShape({ symbology, value }: BarcodeShapeProps) {
  if (symbology === "datamatrix")
    return (
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={getMatrixPath(20, value, false)} fill="#0f1524" />
      </svg>
    );
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <path d={getBarcodePath(value)} fill="#0f1524" />
    </svg>
  );
}

/** The encoded value, shown on hover. */
function CodeValue({ value }: { value: string }) {
  return <span class="code-value">{toPlainText(value)}</span>;
}

// Patterns that look like codes, the same for the same value.

/** Pseudorandom numbers from 0 to 1. */
function* createNoise(seed: string): Generator<number, never> {
  let state = 2166136261;
  for (const letter of seed)
    state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  for (;;) {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    yield ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  }
}

/**
 * Squares on a grid, as the `d` of a path.
 * @param hasEyes with the finder patterns of a QR code; otherwise with the solid edges of a Data Matrix
 */
function getMatrixPath(size: number, value: string, hasEyes = true): string {
  const random = createNoise(value);
  const cells: string[] = [];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const isDark = random.next().value < 0.48;
      const fixed = hasEyes
        ? isFinderPattern(x, y, size)
        : isSolidEdge(x, y, size);
      if (fixed ?? isDark) cells.push(`M${x} ${y}h1v1h-1z`);
    }
  return cells.join("");
}

/** Bars in a box of 100 by 10, as the `d` of a path. */
function getBarcodePath(value: string): string {
  const random = createNoise(value);
  const bars: string[] = [];
  for (let x = 0; x < 98;) {
    const width = 0.7 * (1 + Math.floor(random.next().value * 3));
    bars.push(
      `M${x.toFixed(1)} 0h${width.toFixed(1)}v10h-${width.toFixed(1)}z`,
    );
    x += width + 0.7 * (1 + Math.floor(random.next().value * 2));
  }
  return bars.join("");
}

/** Whether a cell of a finder pattern is dark; null outside of the three finder patterns. */
function isFinderPattern(x: number, y: number, size: number): boolean | null {
  const near = (one: number) => (one < 8 ? one : size - 1 - one);
  if ((x < 8 ? 0 : 1) + (y < 8 ? 0 : 1) > 1) return null;
  const [across, down] = [near(x), near(y)];
  if (across > 7 || down > 7) return null;
  if (across === 7 || down === 7) return false;
  const ring = Math.max(Math.abs(across - 3), Math.abs(down - 3));
  return ring !== 2;
}

function isSolidEdge(x: number, y: number, size: number): boolean | null {
  if (x === 0 || y === size - 1) return true;
  if (y === 0) return x % 2 === 0;
  return x === size - 1 ? y % 2 === 1 : null;
}
