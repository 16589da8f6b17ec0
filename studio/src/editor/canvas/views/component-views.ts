import type { FunctionComponent } from "preact";
import type {
  Component,
  ComponentOf,
  ComponentType,
} from "../../../../../core/plugin-api/definition.js";
import {
  UnsupportedView,
  ButtonView,
  ImageView,
  HtmlTemplateView,
  MarkupView,
  PageNumberView,
  SignFieldView,
  HeadingView,
  TextBlockView,
} from "./content-views.js";
import {
  ContainerView,
  DividerView,
  FragmentView,
  PageBreakView,
  SpacerView,
  ColumnsView,
  ColumnView,
  ListItemView,
  ListView,
  TableCellView,
  TableRowView,
  TableView,
} from "./layout-views.js";
import { BlockView } from "./block-view.js";
import { DrawingView } from "./drawing-view.js";
import type { Place } from "./element-props.js";

/** Renders one component of a type; its element is the outermost one. */
type ViewOf<T extends ComponentType> = FunctionComponent<{
  component: ComponentOf<T>;
  place: Place;
}>;

/** Components of emails have views of their own in email-views.tsx. */
const views: { [T in ComponentType]: ViewOf<T> } = {
  fragment: FragmentView,
  container: ContainerView,
  columns: ColumnsView,
  column: ColumnView,
  heading: HeadingView,
  text: TextBlockView,
  markdown: MarkupView,
  html: MarkupView,
  markup: HtmlTemplateView,
  list: ListView,
  "list-item": ListItemView,
  image: ImageView,
  button: ButtonView,
  divider: DividerView,
  spacer: SpacerView,
  table: TableView,
  "table-row": TableRowView,
  "table-cell": TableCellView,
  qrcode: DrawingView,
  barcode: DrawingView,
  chart: DrawingView,
  "page-break": PageBreakView,
  "page-number": PageNumberView,
  "sign-field": SignFieldView,
  partial: BlockView,
  section: UnsupportedView,
  hero: UnsupportedView,
  social: UnsupportedView,
  preheader: UnsupportedView,
};

export function getView(type: ComponentType): FunctionComponent<{
  component: Component;
  place: Place;
}> {
  // Each view gets only components of its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (views[type] ?? UnsupportedView) as FunctionComponent<{
    component: Component;
    place: Place;
  }>;
}
