const pageSize = 24;

/** The page of a list that a query asks for, from 1. */
export function sliceOf(query: URLSearchParams): {
  page: number;
  pageSize: number;
} {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return { page: page >= 1 && page < 1_000_000 ? page : 1, pageSize };
}
