/**
 * Runs in the page: `(tables, make, measure) => measured`. Gives tables the widths of columns that all their rows together
 * ask for, so that they are the same in each piece. What else depends on all of the document being there is measured
 * by `measure` meanwhile.
 */
export const HOLD_COLUMNS = `(tables, make, measure) => {
  const columnsOf = (table) => {
    const own = () => Array.from(table.querySelectorAll(":scope > colgroup > col"));
    const cells = Array.from(table.rows, (row) => Array.from(row.cells).reduce((sum, { colSpan }) => sum + colSpan, 0));
    const count = cells.reduce((most, one) => Math.max(most, one), 0);
    const missing = own().reduce((left, { span }) => left - span, count);
    if (missing > 0) {
      const group = make("colgroup");
      group.append(...Array.from({ length: missing }, () => make("col")));
      table.insertBefore(group, table.tHead ?? table.tBodies[0]);
    }
    return own();
  };
  const widthOf = (element) => element.getBoundingClientRect().width / (element.currentCSSZoom ?? 1);

  const columns = tables.map(columnsOf);
  const sizes = tables.map((table, index) => ({
    width: widthOf(table),
    columns: columns[index].map((column) => widthOf(column) / column.span),
  }));
  const measured = measure();
  const set = (element, name, value) => element.style.setProperty(name, value, "important");
  tables.forEach((table, index) => {
    set(table, "table-layout", "fixed");
    set(table, "width", sizes[index].width + "px");
    columns[index].forEach((column, at) => set(column, "width", sizes[index].columns[at] + "px"));
  });
  return measured;
}`;
