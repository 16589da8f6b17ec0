import { useComputed } from "@preact/signals";
import { Icon } from "../../../ui/icon.js";
import { getCatalogEntry } from "../../model/catalog.js";
import { useSampleScope } from "../../scope/sample-scope.js";
import { useCanvas } from "../canvas-state.js";
import { toPlainText } from "./component-text.js";
import { useElementProps, type ViewProps } from "./element-props.js";
import { Markup } from "./markup.js";

type DrawingProps = ViewProps<"chart" | "qrcode" | "barcode">;

/**
 * A chart or code as the service drew it. Until it has drawn a change, the last drawing stays. A box about as large is in
 * its place before the first response, where nothing can be drawn, and for the value of a code in the view of fields.
 */
export function DrawingView({ component, place }: DrawingProps) {
  const { editor } = useCanvas();
  const { row } = useSampleScope();
  const { id = "", type } = component;
  const size = useUsualSize(component);
  const elementProps = useElementProps(component, place, {
    classes: [type === "chart" ? "chart" : "code"],
    ...(type === "qrcode" && { style: size }),
  });
  // Computed, so that new facts render it again only when it has changed.
  const edited = useComputed(() => editor.facts.value?.drawings[id]).value;
  const drawing = row ? row.drawings[id] : edited;
  const value = type === "chart" ? "" : component.value;
  const isField = !editor.showsValues.value && value.includes("{{");
  return (
    <div {...elementProps}>
      {drawing === undefined || isField ? (
        <span class="picture-place" style={size}>
          <Icon name={getCatalogEntry(type).icon} size={16} />
          {isField && <span>{toPlainText(value)}</span>}
        </span>
      ) : (
        <Markup html={drawing} />
      )}
    </div>
  );
}

/** That of a code with a typical value. */
function useUsualSize(component: DrawingProps["component"]) {
  const { chartHeight, qrcodeSize, barcodes } =
    useCanvas().editor.design.defaults;
  if (component.type === "chart")
    return { width: "100%", height: component.height ?? chartHeight };
  if (component.type === "qrcode") {
    const { size = qrcodeSize } = component;
    return { width: size, height: size };
  }
  const usual = barcodes[component.symbology];
  const { width = `${usual.width}mm`, height = `${usual.height}mm` } =
    component;
  return { width, height };
}
