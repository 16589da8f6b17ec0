import type { FunctionComponent } from "preact";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../../../../../core/plugin-api/definition.js";
import type { Place } from "./place.js";
import {
  ContainerView,
  DividerView,
  FragmentView,
  PageBreakView,
  SpacerView,
} from "./views/block-views.js";
import { ButtonView } from "./views/button-view.js";
import { ChartView } from "./views/chart-view.js";
import { BarcodeView, QrCodeView } from "./views/code-views.js";
import { ColumnsView, ColumnView } from "./views/columns-view.js";
import { ImageView } from "./views/image-view.js";
import { ListItemView, ListsView } from "./views/lists-view.js";
import { AwayView } from "./views/away-view.js";
import { MarkupView } from "./views/markup-view.js";
import { PageNumberView } from "./views/page-number-view.js";
import { SignFieldView } from "./views/sign-field-view.js";
import { TableCellView, TableRowView, TableView } from "./views/table-views.js";
import { HeadingView, TextBlockView } from "./views/text-views.js";

/** Draws one component, its element outermost, without its guards. */
type ViewOf<T extends ComponentType> = FunctionComponent<{
  component: ComponentOf<T>;
  place: Place;
}>;

/** Parts of emails are drawn by the email's own views, where they may stand. */
const views: { [T in ComponentType]: ViewOf<T> } = {
  fragment: FragmentView,
  container: ContainerView,
  columns: ColumnsView,
  column: ColumnView,
  heading: HeadingView,
  text: TextBlockView,
  markdown: MarkupView,
  html: MarkupView,
  list: ListsView,
  "list-item": ListItemView,
  image: ImageView,
  button: ButtonView,
  divider: DividerView,
  spacer: SpacerView,
  table: TableView,
  "table-row": TableRowView,
  "table-cell": TableCellView,
  qrcode: QrCodeView,
  barcode: BarcodeView,
  chart: ChartView,
  "page-break": PageBreakView,
  "page-number": PageNumberView,
  "sign-field": SignFieldView,
  section: AwayView,
  hero: AwayView,
  social: AwayView,
  preheader: AwayView,
};

export function viewOf(type: ComponentType): FunctionComponent<{
  component: Component;
  place: Place;
}> {
  // Each view is called with the components of its own type alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (views[type] ?? AwayView) as FunctionComponent<{
    component: Component;
    place: Place;
  }>;
}
