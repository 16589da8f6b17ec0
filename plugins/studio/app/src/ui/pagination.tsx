import type { Paged } from "../resource.js";
import { setQuery } from "../router.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";

const pageSize = 24;

/** The page number in the query, from 1. */
export function pageIn(query: URLSearchParams): number {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return page >= 1 ? page : 1;
}

interface PagesProps {
  page: number;
  total: number;
  /** What the list contains, such as "documents". */
  what: string;
}

/** Buttons to the newer and older pages of a list. */
export function Pages({ page, total, what }: PagesProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const turn = (to: number) =>
    setQuery({
      page: to <= 1 ? "" : String(Math.min(to, pages)),
    });
  return (
    <nav class="pages" aria-label="Pages of the list">
      <Button label={`Newer ${what}`} onPress={() => turn(page - 1)}>
        <Icon name="back" />
        Newer
      </Button>
      <span class="muted">
        Page {page} of {pages}
      </span>
      <Button label={`Older ${what}`} onPress={() => turn(page + 1)}>
        Older
        <Icon name="next" />
      </Button>
    </nav>
  );
}

export function ShowMore({ list }: { list: Paged<unknown> }) {
  const { data, showMore } = list;
  if (!data || data.data.length >= data.total) return null;
  return (
    <div class="more">
      <Button onPress={showMore}>Show more</Button>
    </div>
  );
}
