import { useState } from "preact/hooks";
import type {
  TemplateCard as Card,
  TemplateShow,
} from "../../../../../../core/contract/app-lists.js";
import { ask } from "../../api.js";
import { type Resource, useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Fault } from "../../ui/notice.js";
import { NoTemplates } from "./no-templates.js";
import { CardBones, TemplateCard } from "./template-card.js";

interface Asked {
  q: string;
  show: TemplateShow;
  folderId: string | null;
}

interface CardPage {
  data: Card[];
  total: number;
}

export interface Cards extends Resource<CardPage> {
  asked: Asked;
  showMore: () => void;
}

/** The templates that are asked for, as many as were wanted so far. */
export function useCards(asked: Asked): Cards {
  const [pages, setPages] = useState(1);
  const key = JSON.stringify([asked, pages]);
  const cards = useResource(key, () => readPages(asked, pages));
  return { ...cards, asked, showMore: () => setPages(pages + 1) };
}

/** All pages up to this one: what is shown stays in its place while more comes. */
async function readPages(asked: Asked, pages: number): Promise<CardPage> {
  const { q, show, folderId } = asked;
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, index) => {
      const query = new URLSearchParams({ q, show, page: String(index + 1) });
      if (folderId !== null) query.set("folderId", folderId);
      return ask<CardPage>(`templates?${query.toString()}`);
    }),
  );
  return {
    data: answers.flatMap(({ data }) => data),
    total: answers[0]?.total ?? 0,
  };
}

export function TemplateGallery({ cards }: { cards: Cards }) {
  const { data, fault, reload, asked, showMore } = cards;
  if (fault && !data)
    return (
      <Fault
        what="The templates could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <CardBones />;
  if (data.total === 0)
    return <NoTemplates {...asked} isFolder={asked.folderId !== null} />;
  return (
    <>
      <p class="hidden-text" role="status">
        {data.total} {data.total === 1 ? "template" : "templates"}
      </p>
      <ul class="gallery">
        {data.data.map((card) => (
          <TemplateCard
            card={card}
            isTrashed={asked.show === "trash"}
            key={card.id}
            onChange={reload}
          />
        ))}
      </ul>
      {data.data.length < data.total && (
        <div class="more">
          <Button onPress={showMore}>Show more</Button>
        </div>
      )}
    </>
  );
}
