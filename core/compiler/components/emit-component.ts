import { PlatenError } from "../../plugin-api/index.js";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../definition/schema/component-schema.js";
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
import { emitGuarded } from "./emit-guarded.js";
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

/** Any component, inside its condition and its collection. */
export function emitComponent(component: Component, site: Site): string {
  return emitGuarded(component, site, emitOwn, (list, around, suffix) =>
    around.children(list, suffix),
  );
}

/** The element of a component alone. */
export function emitOwn<T extends ComponentType>(
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
