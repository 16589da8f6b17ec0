import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../definition/schema/component-schema.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  emitContainer,
  emitDivider,
  emitFragment,
  emitHeading,
  emitPageBreak,
  emitSpacer,
  emitTextBlock,
  emitButton,
  emitImage,
  emitList,
  emitListItem,
  emitHtml,
  emitMarkdown,
  emitPageNumber,
  emitSignField,
} from "./emit-blocks.js";
import { emitChart } from "./emit-chart.js";
import { emitBarcode, emitQrcode } from "./emit-codes.js";
import { emitColumn, emitColumns } from "./emit-columns.js";
import type { Site } from "./emit-context.js";
import { emitTable, emitTableCell, emitTableRow } from "./emit-table.js";

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

/**
 * A component inside its condition and its collection, however these draw the component itself and the
 * lists that stand in for it. The condition is tested once, before the first round.
 */
export function emitGuarded(
  component: Component,
  site: Site,
  own: (component: Component, site: Site) => string,
  branch: (list: readonly Component[], site: Site, suffix: string) => string,
): string {
  const { condition, collection } = component;
  const drawn = collection
    ? site.each(
        collection,
        (inside) => own(component, inside),
        branch(collection.empty ?? [], site, ".collection.empty"),
      )
    : own(component, site);
  if (!condition) return drawn;
  const otherwise = branch(condition.else ?? [], site, ".condition.else");
  return site.when(condition, drawn, otherwise);
}
