import type { Paged } from "../resource.js";
import { setQuery } from "../router.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";

const pageSize = 24;

/** What is asked for by the address. */
export function pageIn(query: URLSearchParams): number {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return page >= 1 ? page : 1;
}

interface PagesProps {
  page: number;
  /** Of all entries. */
  total: number;
  /** What the list is of, such as "documents". */
  what: string;
}

/** Leads through a list that is longer than a page, the newest first. */
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

/** Below a list that has more than is shown. */
export function ShowMore({ list }: { list: Paged<unknown> }) {
  const { data, showMore } = list;
  if (!data || data.data.length >= data.total) return null;
  return (
    <div class="more">
      <Button onPress={showMore}>Show more</Button>
    </div>
  );
}
