/** "1 page", "2 pages". */
export function pagesInWords(pages: number): string {
  return pages === 1 ? "1 page" : `${pages} pages`;
}
