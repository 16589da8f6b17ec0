import type { TemplateCard as Card } from "../../../../../../core/plugin-api/app-lists.js";
import { useState } from "preact/hooks";
import { local } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { carry } from "../folders/carried.js";
import { FavoriteButton } from "./favorite-button.js";
import { TemplateMenu } from "./template-menu.js";

interface TemplateCardProps {
  card: Card;
  isTrashed: boolean;
  onChange: () => unknown;
}

/** A template among others: its picture, its name, its star. */
export function TemplateCard({ card, isTrashed, onChange }: TemplateCardProps) {
  const { id, name, templateType, isActive, updatedAt } = card;
  return (
    <li class="card template">
      <div onDragStart={(event) => !isTrashed && carry(event, id)}>
        <Link class="template-link" to={`templates/${id}`}>
          <Thumbnail url={card.thumbnailUrl} />
          <span class="template-name">{name}</span>
        </Link>
      </div>
      <div class="template-facts">
        <span class="muted small">
          {templateType === "email" ? "Email" : "Document"} ·{" "}
          <span title={`Changed ${momentOf(updatedAt)}`}>
            {agoOf(updatedAt)}
          </span>
        </span>
        {!isActive && <span class="badge warn">Not active</span>}
      </div>
      {may("editor") && (
        <>
          <span class="card-menu">
            <TemplateMenu
              template={{ ...card, isTrashed }}
              onChange={onChange}
            />
          </span>
          {!isTrashed && <FavoriteButton template={card} onChange={onChange} />}
        </>
      )}
    </li>
  );
}

/** The first page. Its place is kept until it is there, and if it never comes. */
export function Thumbnail({ url }: { url: string }) {
  const [state, setState] = useState<"waits" | "there" | "failed">("waits");
  return (
    <span class={`thumbnail ${state}`}>
      {state === "failed" ? (
        <span class="muted small">No picture</span>
      ) : (
        <img
          src={local(url)}
          alt=""
          loading="lazy"
          onLoad={() => setState("there")}
          onError={() => setState("failed")}
        />
      )}
    </span>
  );
}

/** The gallery's outline, if it takes a while. */
export function CardBones() {
  return (
    <ul class="gallery waiting" aria-label="Loading" aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        <li class="card template" key={index}>
          <span class="thumbnail" />
          <span class="bone line" />
        </li>
      ))}
    </ul>
  );
}
