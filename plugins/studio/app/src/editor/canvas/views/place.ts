import type {
  Align,
  ComponentOf,
  ComponentType,
} from "../../../../../../../core/plugin-api/definition.js";

/** What the rendering of a component depends on besides the component. Compared by value or identity of each property. */
export interface Place {
  /** The parent's kind of element. */
  around: "block" | "table" | "row" | "list" | "columns";
  /** The columns of the table. */
  columns?: ComponentOf<"table">["columns"];
  /** The index of a cell's first column. */
  column?: number;
  isHeader?: boolean;
  /** The gap between columns. */
  gap?: string | undefined;
  /** In an email: in the body, a row of columns, a column, HTML as in documents, or the row of the component itself. */
  email?: "body" | "row" | "column" | "html" | "inner";
  /** In an email: the padding of content in the column. */
  inset?: string;
  /** In an email: the column's share of its row, in percent. */
  share?: number;
}

export const blockPlace: Place = { around: "block" };

export function isSamePlace(one: Place, other: Place): boolean {
  return (
    one === other ||
    (one.around === other.around &&
      one.columns === other.columns &&
      one.column === other.column &&
      one.isHeader === other.isHeader &&
      one.gap === other.gap &&
      one.email === other.email &&
      one.inset === other.inset &&
      one.share === other.share)
  );
}

/** The alignment of a cell's column. */
export function alignAt({ columns, column = 0 }: Place): Align | undefined {
  return columns?.[column]?.align;
}

/** The place of the children of a box. */
export function innerPlace({ email }: Place): Place {
  return email ? htmlPlace : blockPlace;
}

const htmlPlace: Place = { around: "block", email: "html" };

export interface ViewProps<T extends ComponentType> {
  component: ComponentOf<T>;
  place: Place;
}
