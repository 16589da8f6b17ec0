/** How page numbers are written where a component asks for them; null where there is no page. */
export interface Numbers {
  page: string;
  pages: string;
}

/** Stand in a program's output until the numbers are known. Data cannot bring them: merging drops control characters. */
export const PAGE_MARK = "\u0001";
export const PAGES_MARK = "\u0002";

export const MARKED_NUMBERS: Numbers = { page: PAGE_MARK, pages: PAGES_MARK };
