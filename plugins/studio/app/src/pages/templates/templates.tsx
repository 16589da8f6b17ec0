import type {
  TemplateCard as Card,
  TemplateShow as Show,
} from "../../../../../../core/contract/app-lists.js";
import { useState } from "preact/hooks";
import { ask } from "../../api.js";
import { place, setQuery } from "../../router.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { CardBones, TemplateCard } from "./template-card.js";

const shows: [Show, string][] = [
  ["all", "All"],
  ["favorites", "Favourites"],
  ["recent", "Recently changed"],
];

interface CardPage {
  data: Card[];
  total: number;
}

export function TemplatesPage() {
  const { searchParams } = place.value;
  const q = searchParams.get("q") ?? "";
  const show = shows.find(([one]) => one === searchParams.get("show"))?.[0];
  return (
    <>
      <PageTitle
        title="Templates"
        lead="Each makes a document of a record of data."
      />
      <div class="bar">
        <label class="search">
          <span class="hidden-text">Search by name</span>
          <Icon name="search" />
          <input
            class="input"
            type="search"
            placeholder="Search by name"
            value={q}
            onInput={(event) => setQuery({ q: event.currentTarget.value })}
          />
        </label>
        <Choices
          legend="Which templates"
          options={shows}
          value={show ?? "all"}
          onChoose={(one) => setQuery({ show: one === "all" ? "" : one })}
        />
      </div>
      <Gallery q={q} show={show ?? "all"} />
    </>
  );
}

function Gallery({ q, show }: { q: string; show: Show }) {
  const [pages, setPages] = useState(1);
  const cards = useResource(`${show} ${pages} ${q}`, () =>
    readPages(q, show, pages),
  );
  const { data, fault, reload } = cards;
  if (fault && !data)
    return (
      <Fault
        what="The templates could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <CardBones />;
  if (data.total === 0) return <NoTemplates q={q} show={show} />;
  return (
    <>
      <p class="hidden-text" role="status">
        {data.total} {data.total === 1 ? "template" : "templates"}
      </p>
      <ul class="gallery">
        {data.data.map((card) => (
          <TemplateCard card={card} key={card.id} onChange={reload} />
        ))}
      </ul>
      {data.data.length < data.total && (
        <div class="more">
          <Button onPress={() => setPages(pages + 1)}>Show more</Button>
        </div>
      )}
    </>
  );
}

/** All pages up to this one: what is shown stays in its place while more comes. */
async function readPages(
  q: string,
  show: Show,
  pages: number,
): Promise<CardPage> {
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, index) => {
      const query = new URLSearchParams({ q, show, page: String(index + 1) });
      return ask<CardPage>(`templates?${query.toString()}`);
    }),
  );
  return {
    data: answers.flatMap(({ data }) => data),
    total: answers[0]?.total ?? 0,
  };
}

function NoTemplates({ q, show }: { q: string; show: Show }) {
  if (q !== "")
    return (
      <Empty icon="search" title={`No template is called “${q}”`}>
        <p>Part of a name is enough; upper and lower case are the same.</p>
        <Button onPress={() => setQuery({ q: "" })}>Clear the search</Button>
      </Empty>
    );
  if (show === "favorites")
    return (
      <Empty icon="star" title="No favourites yet">
        <p>Press the star on a template to find it here again.</p>
      </Empty>
    );
  return (
    <Empty icon="templates" title="No templates yet">
      <p>Templates come in as files:</p>
      <code class="command">
        npm run platen -- template import invoice.json --org …
      </code>
    </Empty>
  );
}
