import type { ComponentChildren } from "preact";
import type { ListPage, Paged, Resource } from "../resource.js";
import { place, setQuery } from "../router.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";
import { LoadStatus } from "./loading.js";
import { t } from "../messages/index.js";

const pageSize = 24;

/** The page number in the query, from 1. */
export function pageIn(query: URLSearchParams): number {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return page >= 1 ? page : 1;
}

interface PagedListProps<T> {
  resource: Pick<Resource<ListPage<T>>, "data" | "fault" | "reload">;
  /** The title of an error, such as "Couldn't load the documents". */
  what: string;
  /** Number of lines of the skeleton. */
  count?: number;
  /** Shown in place of a list without entries. */
  empty: ComponentChildren;
  /** The line of an entry, with its key. */
  children: (entry: T) => ComponentChildren;
}

/** A list whose page number is in the query: its status while there is no data, its lines, and buttons to turn pages. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { resource, empty, children, ...status } = props;
  const { data } = resource;
  return (
    <>
      <LoadStatus resource={resource} {...status} />
      {data?.total === 0 && empty}
      {data && data.total > 0 && (
        <>
          <ul class="card lines">{data.data.map(children)}</ul>
          <Pages total={data.total} />
        </>
      )}
    </>
  );
}

/** Buttons to the newer and older pages of a list. */
function Pages({ total }: { total: number }) {
  const page = pageIn(place.value.searchParams);
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const turn = (to: number) =>
    setQuery({ page: to <= 1 ? "" : String(Math.min(to, pages)) });
  return (
    <nav class="pages" aria-label={t("common.pagination")}>
      <Button onPress={() => turn(page - 1)}>
        <Icon name="back" />
        {t("common.newer")}
      </Button>
      <span class="muted">{t("common.pageOfPages", { page, pages })}</span>
      <Button onPress={() => turn(page + 1)}>
        {t("common.older")}
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
      <Button onPress={showMore}>{t("common.showMore")}</Button>
    </div>
  );
}

interface BadgeProps {
  /** Such as "good" or "info busy"; none by default. */
  tone?: string;
  children: ComponentChildren;
}

/** A state, with a colored dot. */
export function Badge({ tone = "", children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" />
      {children}
    </span>
  );
}
