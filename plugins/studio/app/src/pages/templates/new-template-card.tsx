import { useState } from "preact/hooks";
import { Icon } from "../../ui/icon.js";
import type { Source } from "./new-template-source.js";

interface NewTemplateCardProps {
  source: Source;
  /** Whether its picture's turn has come. */
  isDrawn: boolean;
  onSettle?: (() => void) | undefined;
  onChoose: () => void;
}

/** Something to begin with, with its picture. */
export function NewTemplateCard(props: NewTemplateCardProps) {
  const { source, isDrawn, onSettle, onChoose } = props;
  const { name, description, templateType } = source;
  return (
    <li class="card template new-template">
      <button type="button" class="template-link" onClick={onChoose}>
        <SourcePicture {...{ source, isDrawn, onSettle }} />
        <span class="template-name">{name}</span>
      </button>
      <span class="new-template-words muted small">
        {templateType === "email" ? "Email" : "Document"} · {description}
      </span>
    </li>
  );
}

/** The first page; of what is blank, a sign for its kind. */
export function SourcePicture({
  source,
  isDrawn,
  onSettle,
}: Pick<NewTemplateCardProps, "source" | "isDrawn" | "onSettle">) {
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
        src={isDrawn ? picture : undefined}
        alt=""
        loading="lazy"
        onLoad={() => {
          setState("there");
          onSettle?.();
        }}
        onError={() => {
          setState("failed");
          onSettle?.();
        }}
      />
    </span>
  );
}
