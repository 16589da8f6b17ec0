import { PlatenError } from "../../contract/index.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../definition/component-schema.js";
import {
  emitContainer,
  emitDivider,
  emitFragment,
  emitHeading,
  emitPageBreak,
  emitSpacer,
  emitTextBlock,
} from "./emit-blocks.js";
import { emitButton } from "./emit-button.js";
import { emitChart } from "./emit-chart.js";
import { emitBarcode, emitQrcode } from "./emit-codes.js";
import { emitColumn, emitColumns } from "./emit-columns.js";
import { emitImage } from "./emit-image.js";
import { emitList, emitListItem } from "./emit-list.js";
import { emitHtml, emitMarkdown } from "./emit-markup.js";
import { emitPageNumber } from "./emit-page-number.js";
import { emitSignField } from "./emit-sign-field.js";
import { emitTable, emitTableCell, emitTableRow } from "./emit-table.js";
import type { Site } from "./site.js";

/** Writes one component as program source. Its condition and collection are not its business. */
type Emitter<T extends ComponentType> = (
  component: ComponentOf<T>,
  site: Site,
) => string;

const EMITTERS: { [T in ComponentType]?: Emitter<T> } = {
  fragment: emitFragment,
  container: emitContainer,
  columns: emitColumns,
  column: emitColumn,
  heading: emitHeading,
  text: emitTextBlock,
  markdown: emitMarkdown,
  html: emitHtml,
  list: emitList,
  "list-item": emitListItem,
  image: emitImage,
  button: emitButton,
  divider: emitDivider,
  spacer: emitSpacer,
  table: emitTable,
  "table-row": emitTableRow,
  "table-cell": emitTableCell,
  qrcode: emitQrcode,
  barcode: emitBarcode,
  chart: emitChart,
  "page-break": emitPageBreak,
  "page-number": emitPageNumber,
  "sign-field": emitSignField,
};

/** Any component, inside its condition and its collection: the condition is tested once, before the first round. */
export function emitComponent(component: Component, site: Site): string {
  const { condition, collection } = component;
  const drawn = collection
    ? site.each(
        collection,
        (inside) => emitOwn(component, inside),
        site.children(collection.empty, ".collection.empty"),
      )
    : emitOwn(component, site);
  if (!condition) return drawn;
  return site.when(
    condition,
    drawn,
    site.children(condition.else, ".condition.else"),
  );
}

function emitOwn<T extends ComponentType>(
  component: ComponentOf<T> & { type: T },
  site: Site,
): string {
  const emit: Emitter<T> | undefined = EMITTERS[component.type];
  if (emit) return emit(component, site);
  throw new PlatenError(
    "invalid_definition",
    `${site.path}: a ${component.type} cannot be drawn here.`,
  );
}
