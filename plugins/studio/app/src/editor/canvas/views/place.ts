import type {
  Align,
  ComponentOf,
  ComponentType,
} from "../../../../../../../core/plugin-api/definition.js";

/** Where a component is drawn, as far as its drawing depends on it. All of it compares by value or identity. */
export interface Place {
  /** What kind of element may stand there. */
  around: "block" | "table" | "row" | "list" | "columns";
  /** Of the table around. */
  columns?: ComponentOf<"table">["columns"];
  /** The column of the table in which a cell begins, from 0. */
  column?: number;
  isHeader?: boolean;
  /** Between the columns of the row around. */
  gap?: string | undefined;
  /** In an email: in its body; in a row of columns; in a column; within HTML, as in documents; or within the row that stands for it. */
  email?: "body" | "row" | "column" | "html" | "inner";
  /** In an email: the room around content, as a column hands it down. */
  inset?: string;
  /** In an email: of a row, in percent. */
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

/** The alignment that the columns of a table give a cell. */
export function alignAt({ columns, column = 0 }: Place): Align | undefined {
  return columns?.[column]?.align;
}

/** Of what stands in a box: blocks, in an email as HTML. */
export function innerPlace({ email }: Place): Place {
  return email ? htmlPlace : blockPlace;
}

const htmlPlace: Place = { around: "block", email: "html" };

/** What draws a component is given. */
export interface ViewProps<T extends ComponentType> {
  component: ComponentOf<T>;
  place: Place;
}
