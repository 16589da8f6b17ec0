import { useState } from "preact/hooks";
import type {
  TemplateCard as Card,
  TemplateShow,
  TemplateShow as Show,
} from "../../../../../../core/plugin-api/app-plugin.js";
import { ask, askPublic, local } from "../../api.js";
import { agoOf, momentOf } from "../../format.js";
import { go, Link, place, setQuery } from "../../router.js";
import { may } from "../../session.js";
import {
  type ListPage,
  listShown,
  type Paged,
  usePaged,
} from "../../resource.js";
import { ActionMenu, type MenuAction } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { NameDialog } from "../../ui/dialog.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { SearchField } from "../../ui/search-field.js";
import { ShowMore } from "../../ui/pagination.js";
import { toast } from "../../ui/toast.js";
import {
  carry,
  FolderFrame,
  MoveEntry,
  placeAsked,
  useLibrary,
} from "../folders/folders.js";

const shows: [Show, string][] = [
  ["all", "All"],
  ["favorites", "Favorites"],
  ["recent", "Recently changed"],
];

export function TemplatesPage() {
  const { searchParams } = place.value;
  const q = searchParams.get("q") ?? "";
  const shown = placeAsked();
  const filter = shows.find(([one]) => one === searchParams.get("show"))?.[0];
  const show = shown.show === "trash" ? "trash" : (filter ?? "all");
  const cards = useCards({ q, show, folderId: shown.folderId });
  const library = useLibrary("template", cards.reload);
  return (
    <>
      <PageTitle
        title="Templates"
        lead="Turn your data into documents and emails."
      >
        {may("editor") && (
          <Link
            class="button primary"
            to={`templates/new${shown.folderId ? `?folder=${shown.folderId}` : ""}`}
          >
            <Icon name="plus" />
            New template
          </Link>
        )}
      </PageTitle>
      <FolderFrame library={library}>
        <Bar q={q} show={show} />
        <TemplateGallery cards={cards} />
      </FolderFrame>
    </>
  );
}

function Bar({ q, show }: { q: string; show: Show }) {
  return (
    <div class="bar">
      <SearchField
        words="Search by name"
        value={q}
        onSearch={(asked) => setQuery({ q: asked })}
      />
      {show !== "trash" && (
        <Choices
          legend="Which templates"
          options={shows}
          value={show}
          onChoose={(one) => setQuery({ show: one === "all" ? "" : one })}
        />
      )}
    </div>
  );
}

interface Asked {
  q: string;
  show: TemplateShow;
  folderId: string | null;
}

interface Cards extends Paged<Card> {
  asked: Asked;
}

function useCards(asked: Asked): Cards {
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

function TemplateGallery({ cards }: { cards: Cards }) {
  const { fault, reload, asked } = cards;
  const data = listShown(cards);
  if (fault && !data)
    return (
      <Fault what="Couldn't load the templates" why={fault} onRetry={reload} />
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

interface NoTemplatesProps {
  q: string;
  show: TemplateShow;
  isFolder: boolean;
}

function NoTemplates({ q, show, isFolder }: NoTemplatesProps) {
  if (q !== "")
    return (
      <Empty icon="search" title={`No matches for “${q}”`}>
        <p>You can search for part of a name.</p>
        <Button onPress={() => setQuery({ q: "" })}>Clear search</Button>
      </Empty>
    );
  if (show === "trash")
    return (
      <Empty icon="trash" title="The trash is empty">
        <p>Templates you move to trash stay here until you restore them.</p>
      </Empty>
    );
  if (show === "favorites")
    return (
      <Empty icon="star" title="No favorites yet">
        <p>Star a template to find it here.</p>
      </Empty>
    );
  if (isFolder)
    return (
      <Empty icon="folder" title="Nothing in this folder yet">
        <p>
          Drag a template onto it, or choose “Move to folder” in a template’s
          menu.
        </p>
      </Empty>
    );
  return (
    <Empty icon="templates" title="No templates yet">
      <p>Start with a blank page or an example.</p>
      {may("editor") && (
        <Link class="button primary" to="templates/new">
          New template
        </Link>
      )}
    </Empty>
  );
}

interface TemplateCardProps {
  card: Card;
  isTrashed: boolean;
  onChange: () => unknown;
}

function TemplateCard({ card, isTrashed, onChange }: TemplateCardProps) {
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
        {!isActive && <span class="badge warn">Inactive</span>}
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

/** The picture of the first page. Its space is reserved while it loads and if it fails. */
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

interface FavoriteButtonProps {
  template: { id: string; name: string; isFavorite: boolean };
  onChange: () => unknown;
}

/** Marks a template as favorite for the whole organization. */
export function FavoriteButton({ template, onChange }: FavoriteButtonProps) {
  const { id, name, isFavorite } = template;
  const change = async () => {
    await askPublic(`templates/${id}`, "PATCH", { isFavorite: !isFavorite });
    await onChange();
  };
  return (
    <span class={`star ${isFavorite ? "on" : ""}`}>
      <Button
        kind="quiet"
        isIcon
        label={`Favorite: ${name}`}
        pressed={isFavorite}
        onPress={change}
      >
        <Icon name="star" isFilled={isFavorite} />
      </Button>
    </span>
  );
}

interface MenuTemplate {
  id: string;
  name: string;
  folderId: string | null;
  isTrashed: boolean;
}

interface TemplateMenuProps {
  template: MenuTemplate;
  onChange: () => unknown;
  /** Called after the template was moved to trash; `onChange` by default. */
  onTrashed?: () => unknown;
}

export function TemplateMenu(props: TemplateMenuProps) {
  const { template, onChange, onTrashed = onChange } = props;
  const { id, name, isTrashed } = template;
  const [asked, setAsked] = useState<"rename" | "move" | null>(null);
  const close = () => setAsked(null);
  if (isTrashed) return <Restore template={template} onRestored={onChange} />;
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          ...changing(template, onChange, setAsked),
          trashing(template, onTrashed),
        ]}
      />
      {asked === "rename" && (
        <NameDialog
          title={`Rename ${name}`}
          name={name}
          act="Rename"
          onName={async (to) => {
            await askPublic(`templates/${id}`, "PATCH", { name: to });
            await onChange();
          }}
          onClose={close}
        />
      )}
      {asked === "move" && (
        <MoveTemplate template={template} onMoved={onChange} onClose={close} />
      )}
    </>
  );
}

function changing(
  { id, name }: MenuTemplate,
  onChange: () => unknown,
  openDialog: (what: "rename" | "move") => void,
): MenuAction[] {
  return [
    {
      words: "Edit",
      icon: "edit",
      onPress: () => go(`templates/${id}/edit`),
    },
    { words: "Rename", icon: "font", onPress: () => openDialog("rename") },
    {
      words: "Duplicate",
      icon: "copy",
      onPress: async () => {
        const at = `templates/${id}/duplicate`;
        const made = await askPublic<{ name: string }>(at, "POST");
        toast(`${made.name} was created from ${name}.`);
        await onChange();
      },
    },
    {
      words: "Move to folder",
      icon: "move",
      onPress: () => openDialog("move"),
    },
  ];
}

function trashing(
  { id, name }: MenuTemplate,
  onTrashed: () => unknown,
): MenuAction {
  return {
    words: "Move to trash",
    icon: "trash",
    isGrave: true,
    onPress: async () => {
      await askPublic(`templates/${id}`, "DELETE");
      toast(`${name} was moved to trash.`);
      await onTrashed();
    },
  };
}

interface RestoreProps {
  template: MenuTemplate;
  onRestored: () => unknown;
}

function Restore({ template, onRestored }: RestoreProps) {
  const { id, name } = template;
  const restore = async () => {
    await askPublic(`templates/${id}/restore`, "POST");
    toast(`${name} was restored.`);
    await onRestored();
  };
  return (
    <Button label={`Restore ${name}`} onPress={restore}>
      <Icon name="restore" size={18} />
      Restore
    </Button>
  );
}

interface MoveTemplateProps {
  template: { id: string; name: string; folderId: string | null };
  onMoved: () => unknown;
  onClose: () => void;
}

function MoveTemplate(props: MoveTemplateProps) {
  const { template, onMoved, onClose } = props;
  const move = async (folderId: string | null) => {
    await askPublic(`templates/${template.id}`, "PATCH", { folderId });
    await onMoved();
  };
  return (
    <MoveEntry
      kind="template"
      entry={template}
      onMove={move}
      onClose={onClose}
    />
  );
}
