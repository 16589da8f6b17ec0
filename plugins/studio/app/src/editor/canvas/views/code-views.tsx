import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { useCanvas } from "../canvas-state.js";
import { barcodeShape, matrixShape } from "../code-shapes.js";
import { plainText } from "../component-name.js";
import { useLook } from "../look.js";
import { printed } from "../printed.js";
import type { ViewProps } from "./view-props.js";

/** Not the code itself, which the print has, but one of its size and kind. */
export function QrCodeView({ component, place }: ViewProps<"qrcode">) {
  const { qrcodeSize } = useCanvas().editor.design.defaults;
  const { size = qrcodeSize, value } = component;
  const look = useLook(component, place, {
    classes: ["code"],
    style: { width: size, height: size },
  });
  return (
    <div {...look}>
      <svg
        viewBox="-3.5 -3.5 32 32"
        aria-hidden="true"
        shape-rendering="crispEdges"
      >
        <path d={matrixShape(25, value)} fill="#0f1524" />
      </svg>
      <CodeValue value={value} />
    </div>
  );
}

/** As large as one with a usual value, its words below it. */
export function BarcodeView({ component, place }: ViewProps<"barcode">) {
  const { symbology, value, showText } = component;
  const usual = useCanvas().editor.design.defaults.barcodes[symbology];
  const look = useLook(component, place, { classes: ["code"] });
  const hasWords = showText ?? usual.hasWords;
  const words = hasWords ? usual.wordsHeight : 0;
  // A height that is given is the whole one, but for codes that have no words of their own accord.
  const beside = usual.hasWords ? 0 : words;
  const height =
    component.height === undefined
      ? `${usual.height + words}mm`
      : `calc(${component.height} + ${beside}mm)`;
  return (
    <div {...look}>
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
  const shown = editor.showsValues.value
    ? printed(value, id, editor.facts.value)
    : null;
  return (
    <div class="code-text" style={{ height: `${heightMm}mm` }}>
      {shown ?? plainText(value)}
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
        <path d={matrixShape(20, value, false)} fill="#0f1524" />
      </svg>
    );
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <path d={barcodeShape(value)} fill="#0f1524" />
    </svg>
  );
}

/** What it encodes, for those who point at it. */
function CodeValue({ value }: { value: string }) {
  return <span class="code-value">{plainText(value)}</span>;
}
