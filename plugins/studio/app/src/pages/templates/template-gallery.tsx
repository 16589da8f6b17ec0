import type {
  TemplateCard as Card,
  TemplateShow,
} from "../../../../../../core/plugin-api/app-lists.js";
import { ask } from "../../api.js";
import { type ListPage, listShown, type Paged, usePaged } from "../../paged.js";
import { Fault } from "../../ui/notice.js";
import { ShowMore } from "../../ui/show-more.js";
import { NoTemplates } from "./no-templates.js";
import { CardBones, TemplateCard } from "./template-card.js";

interface Asked {
  q: string;
  show: TemplateShow;
  folderId: string | null;
}

export interface Cards extends Paged<Card> {
  asked: Asked;
}

/** The templates that are asked for, as many as were wanted so far. */
export function useCards(asked: Asked): Cards {
  const { q, show, folderId } = asked;
  const read = (page: number) => {
    const query = new URLSearchParams({ q, show, page: String(page) });
    if (folderId !== null) query.set("folderId", folderId);
    return ask<ListPage<Card>>(`templates?${query.toString()}`);
  };
  const ground = folderId ?? show;
  const cards = usePaged(JSON.stringify(asked), read, ground);
  return { ...cards, asked };
}

export function TemplateGallery({ cards }: { cards: Cards }) {
  const { fault, reload, asked } = cards;
  const data = listShown(cards);
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
      <ShowMore list={cards} />
    </>
  );
}
