const MARGIN_BOXES = ["top", "bottom"]
  .flatMap((edge) => ["left", "center", "right"].map((box) => `${edge}-${box}`))
  .map((box) => `@${box}{content:none!important}`)
  .join("");

const PAGES = ["@page", "@page :first"]
  .map((page) => `${page}{background:none!important;${MARGIN_BOXES}}`)
  .join("");

/**
 * Styles of a document that is shown in pieces. Headers, footers and background are not printed with them, but for
 * all pages at once. Attributes: `off` is not shown; `on` began in a piece before; `first` begins a page; `flush`
 * has no margin above it.
 */
export const PIECE_STYLE = `${PAGES}
[data-piece-off]{display:none!important}
[data-piece-first]{break-before:page!important}
[data-piece-flush],[data-piece-on]{margin-top:0!important}
[data-piece-on]:not(table){padding-top:0!important;border-top:0!important}
[data-piece-on]>caption{display:none!important}`;
