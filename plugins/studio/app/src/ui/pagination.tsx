import type { Paged } from "../resource.js";
import { setQuery } from "../router.js";
import { Button } from "./button.js";
import { Icon } from "./icon.js";
import { t } from "../messages/index.js";

const pageSize = 24;

/** The page number in the query, from 1. */
export function pageIn(query: URLSearchParams): number {
  const page = Math.floor(Number(query.get("page") ?? 1));
  return page >= 1 ? page : 1;
}

interface PagesProps {
  page: number;
  total: number;
}

/** Buttons to the newer and older pages of a list. */
export function Pages({ page, total }: PagesProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const turn = (to: number) =>
    setQuery({
      page: to <= 1 ? "" : String(Math.min(to, pages)),
    });
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
