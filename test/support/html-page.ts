/** A complete document around some html. */
export function page(body: string, style = "", language = "en"): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><style>${style}</style></head><body>${body}</body></html>`;
}
