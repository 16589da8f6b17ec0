export const PAGE_WORDS = {
  page: "Page number",
  pages: "Number of pages",
} as const;
