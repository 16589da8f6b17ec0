/**
 * Runs in the page: `(body) => { atoms, tables }`. An atom is a list of elements that are never cut: a row of a table
 * with those that its cells reach into, or a child of a plain block. What has a fixed place, or none, is no atom and
 * stays on every page. `tables` are those whose rows are atoms.
 */
export const FIND_ATOMS = `(body) => {
  const atoms = [];
  const tables = [];
  const BLOCKS = new Set(["block", "flow-root", "list-item", "table", "flex", "grid"]);
  const PARTS = new Set(["CAPTION", "COLGROUP", "THEAD", "TBODY"]);
  const FREE = { height: ["auto"], "min-height": ["auto", "0px"], "column-count": ["auto"], "column-width": ["auto"] };

  const isShown = (element) => {
    const { display, position } = getComputedStyle(element);
    return display !== "none" && position !== "fixed";
  };
  const isInFlow = ({ position, float, transform }) =>
    (position === "static" || position === "relative") && float === "none" && transform === "none";
  const isFree = (element) => {
    const styles = element.computedStyleMap();
    return Object.entries(FREE).every(([name, values]) => values.includes(String(styles.get(name))));
  };
  const mayBeCut = (element, display) => {
    const own = getComputedStyle(element);
    return own.display === display && own.overflow === "visible" && own.breakInside === "auto" &&
      isInFlow(own) && isFree(element);
  };
  const children = (element) => Array.from(element.children).filter(isShown);
  const hasText = (element) =>
    Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const isBlockInFlow = (element) => {
    const own = getComputedStyle(element);
    return BLOCKS.has(own.display) && isInFlow(own);
  };
  const isPlainBlock = (element) => {
    if (!mayBeCut(element, "block") || hasText(element)) return false;
    const inside = children(element);
    return inside.length > 0 && inside.every(isBlockInFlow);
  };
  const isPlainTable = (element) =>
    element.tagName === "TABLE" && mayBeCut(element, "table") &&
    element.rows.length > 2 && Array.from(element.children).every(({ tagName }) => PARTS.has(tagName));

  const addRows = (table) => {
    tables.push(table);
    let spanned = 0;
    for (const row of Array.from(table.tBodies).flatMap(({ rows }) => Array.from(rows))) {
      if (spanned > 0) atoms.at(-1).push(row);
      else atoms.push([row]);
      spanned = Math.max(spanned, ...Array.from(row.cells, ({ rowSpan }) => rowSpan)) - 1;
    }
  };
  const divide = (element) => {
    for (const child of children(element))
      if (isPlainTable(child)) addRows(child);
      else if (isPlainBlock(child)) divide(child);
      else atoms.push([child]);
  };
  divide(body);
  return { atoms, tables };
}`;
