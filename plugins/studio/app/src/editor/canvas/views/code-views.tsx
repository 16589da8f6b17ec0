import type { ComponentOf } from "../../../../../../../core/contract/definition.js";
import { useCanvas } from "../canvas-state.js";
import { barcodeShape, matrixShape } from "../code-shapes.js";
import { plainText } from "../component-name.js";
import { useLook } from "../look.js";
import { printed } from "../printed.js";
import type { ViewProps } from "./view-props.js";

const defaultSize = "28mm";
const defaultHeight = "14mm";

/** Not the code itself, which the print has, but one of its size and kind. */
export function QrCodeView({ component, place }: ViewProps<"qrcode">) {
  const { size = defaultSize, value } = component;
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

export function BarcodeView({ component, place }: ViewProps<"barcode">) {
  const { editor } = useCanvas();
  const { symbology, height = defaultHeight, value, showText } = component;
  const look = useLook(component, place, { classes: ["code"] });
  const isMatrix = symbology === "datamatrix";
  const shown =
    showText && editor.showsValues.value
      ? (printed(value, component.id, editor.facts.value) ?? plainText(value))
      : plainText(value);
  return (
    <div {...look}>
      <BarcodeShape symbology={symbology} height={height} value={value} />
      {showText && !isMatrix && <div class="code-text">{shown}</div>}
      <CodeValue value={value} />
    </div>
  );
}

interface BarcodeShapeProps {
  symbology: ComponentOf<"barcode">["symbology"];
  height: string;
  value: string;
}

function BarcodeShape({ symbology, height, value }: BarcodeShapeProps) {
  if (symbology === "datamatrix")
    return (
      <svg viewBox="0 0 20 20" aria-hidden="true" style={{ height }}>
        <path d={matrixShape(20, value, false)} fill="#0f1524" />
      </svg>
    );
  return (
    <svg
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      style={{ height, width: "52mm" }}
    >
      <path d={barcodeShape(value)} fill="#0f1524" />
    </svg>
  );
}

/** What it encodes, for those who point at it. */
function CodeValue({ value }: { value: string }) {
  return <span class="code-value">{plainText(value)}</span>;
}
