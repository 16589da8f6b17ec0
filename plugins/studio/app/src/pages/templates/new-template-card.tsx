import { useState } from "preact/hooks";
import { Icon } from "../../ui/icon.js";
import type { Source } from "./new-template-source.js";

interface NewTemplateCardProps {
  source: Source;
  onChoose: () => void;
}

/** Something to begin with, with its picture. */
export function NewTemplateCard({ source, onChoose }: NewTemplateCardProps) {
  const { name, description, templateType } = source;
  return (
    <li class="card template new-template">
      <button type="button" class="template-link" onClick={onChoose}>
        <SourcePicture source={source} />
        <span class="template-name">{name}</span>
      </button>
      <span class="new-template-words muted small">
        {templateType === "email" ? "Email" : "Document"} · {description}
      </span>
    </li>
  );
}

/** The first page; of what is blank, a sign for its kind. */
export function SourcePicture({ source }: { source: Source }) {
  const { picture, templateType } = source;
  const [state, setState] = useState<"waits" | "there" | "failed">("waits");
  if (picture === null || state === "failed")
    return (
      <span class="thumbnail blank">
        <span class={`blank-page ${templateType}`}>
          <Icon name={templateType === "email" ? "mail" : "plus"} size={28} />
        </span>
      </span>
    );
  return (
    <span class={`thumbnail ${state}`}>
      <img
        src={picture}
        alt=""
        loading="lazy"
        onLoad={() => setState("there")}
        onError={() => setState("failed")}
      />
    </span>
  );
}
