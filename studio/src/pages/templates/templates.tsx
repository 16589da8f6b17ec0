import { useEffect, useRef, useState } from "preact/hooks";
import type { DataCollection } from "../../../../core/plugin-api/definition.js";
import type {
  TemplateCard as Card,
  TemplateFilter as Show,
} from "../../../../core/templates/views.js";
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
import { EntryMenu, renameAction } from "../../ui/action-menu.js";
import { Button } from "../../ui/button.js";
import { Choices, SearchField } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { ShowMore } from "../../ui/list.js";
import { toast } from "../../ui/toast.js";
import {
  carry,
  FolderFrame,
  moveAction,
  placeAsked,
  useLibrary,
} from "../folders/folders.js";
import { t } from "../../messages/index.js";
import { FirstStepsCard } from "./first-steps.js";

/** An entry of `deliver`: a connection, the settings of its method's target, and those that all methods have. */
export type DeliveryEntry = Record<string, unknown> & { connection?: string };

export interface Template {
  id: string;
  name: string;
  description: string | null;
  templateType: "document" | "email";
  thumbnailUrl: string;
  isActive: boolean;
  isFavorite: boolean;
  isTrashed: boolean;
  folderId: string | null;
  version: number;
  dataSource: { platform: string | null } | null;
  createdAt: string;
  updatedAt: string;
  /** Where its documents are delivered by default. */
  deliver?: DeliveryEntry[];
  definition: {
    sample?: unknown;
    schema?: DataCollection[];
    einvoice?: unknown;
  };
}

const shows: [Show, string][] = [
  ["all", t("common.all")],
  ["favorites", t("templates.favorites")],
  ["recent", t("templates.recentlyChanged")],
];

export function TemplatesPage() {
  const { searchParams } = place.value;
  const q = searchParams.get("q") ?? "";
  const folderPlace = placeAsked();
  const filter = shows.find(([key]) => key === searchParams.get("show"))?.[0];
  const show = folderPlace.show === "trash" ? "trash" : (filter ?? "all");
  const cards = useCards({ q, show, folderId: folderPlace.folderId });
  const library = useLibrary("template", cards.reload);
  const isStart = q === "" && show === "all" && folderPlace.folderId === null;
  return (
    <>
      <PageTitle title={t("shell.templates")} lead={t("templates.lead")}>
        {may("editor") && (
          <Link
            class="button primary"
            to={`templates/new${folderPlace.folderId ? `?folder=${folderPlace.folderId}` : ""}`}
          >
            <Icon name="plus" />
            {t("templates.newTemplate")}
          </Link>
        )}
      </PageTitle>
      {may("editor") && isStart && <FirstStepsCard />}
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
        words={t("assets.searchByName")}
        value={q}
        onSearch={(text) => setQuery({ q: text })}
      />
      {show !== "trash" && (
        <Choices
          legend={t("templates.filterTemplates")}
          options={shows}
          value={show}
          onChoose={(chosen) =>
            setQuery({ show: chosen === "all" ? "" : chosen })
          }
        />
      )}
    </div>
  );
}

interface Asked {
  q: string;
  show: Show;
  folderId: string | null;
}

interface Cards extends Paged<Card> {
  filter: Asked;
}

function useCards(filter: Asked): Cards {
  const { q, show, folderId } = filter;
  const read = (page: number) => {
    const query = new URLSearchParams({ q, show, page: String(page) });
    if (folderId !== null) query.set("folderId", folderId);
    return ask<ListPage<Card>>(`templates?${query.toString()}`);
  };
  const ground = folderId ?? show;
  const cards = usePaged(JSON.stringify(filter), read, ground);
  return { ...cards, filter };
}

function TemplateGallery({ cards }: { cards: Cards }) {
  const { fault, reload, filter } = cards;
  const data = listShown(cards);
  if (fault && !data)
    return (
      <Fault
        what={t("templates.couldntLoadTemplates")}
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return <CardBones />;
  if (data.total === 0)
    return <NoTemplates {...filter} isFolder={filter.folderId !== null} />;
  return (
    <>
      <p class="hidden-text" role="status">
        {t("templates.count", { count: data.total })}
      </p>
      <ul class="gallery">
        {data.data.map((card) => (
          <TemplateCard
            card={card}
            isTrashed={filter.show === "trash"}
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
  show: Show;
  isFolder: boolean;
}

function NoTemplates({ q, show, isFolder }: NoTemplatesProps) {
  if (q !== "")
    return (
      <Empty icon="search" title={t("assets.noMatchesForQ", { q })}>
        <p>{t("common.youCanSearchForPart")}</p>
        <Button onPress={() => setQuery({ q: "" })}>
          {t("common.clearSearch")}
        </Button>
      </Empty>
    );
  if (show === "trash")
    return (
      <Empty icon="trash" title={t("assets.trashIsEmpty")}>
        <p>{t("templates.trashEmptyHelp")}</p>
      </Empty>
    );
  if (show === "favorites")
    return (
      <Empty icon="star" title={t("templates.noFavoritesYet")}>
        <p>{t("templates.starTemplateToFindIt")}</p>
      </Empty>
    );
  if (isFolder)
    return (
      <Empty icon="folder" title={t("templates.nothingInThisFolderYet")}>
        <p>{t("templates.emptyFolderHelp")}</p>
      </Empty>
    );
  return (
    <Empty icon="templates" title={t("templates.noTemplatesYet")}>
      <p>{t("templates.startWithBlankPageOr")}</p>
      {may("editor") && (
        <Link class="button primary" to="templates/new">
          {t("templates.newTemplate")}
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
  const { id, name, templateType, isActive, updatedAt, hasUnpublishedChanges } =
    card;
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
          {templateType === "email" ? t("common.email") : t("common.document")}{" "}
          ·{" "}
          <span
            title={t("templates.changedTime", { time: momentOf(updatedAt) })}
          >
            {agoOf(updatedAt)}
          </span>
        </span>
        {hasUnpublishedChanges && (
          <span class="badge">{t("templates.unpublishedChanges")}</span>
        )}
        {!isActive && <span class="badge warn">{t("templates.inactive")}</span>}
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

interface ThumbnailProps {
  url: string;
  /** Whether to load the picture now. */
  isShown?: boolean;
  /** Called when the picture was loaded, or could not be. */
  onSettled?: (() => void) | undefined;
}

/** The space of the picture is reserved while it loads and if it fails. */
export function Thumbnail({ url, isShown = true, onSettled }: ThumbnailProps) {
  const [state, setState] = useState<"waits" | "there" | "failed">("waits");
  const image = useRef<HTMLImageElement>(null);
  // An image goes on loading after it was removed, and other requests wait for it.
  useEffect(() => {
    const loading = image.current;
    return () => loading?.removeAttribute("src");
  }, []);
  const settle = (next: typeof state) => {
    setState(next);
    onSettled?.();
  };
  return (
    <span class={`thumbnail ${state}`}>
      {state === "failed" ? (
        <span class="muted small">{t("templates.noPreview")}</span>
      ) : (
        <img
          ref={image}
          src={isShown ? local(url) : undefined}
          alt=""
          loading="lazy"
          onLoad={() => settle("there")}
          onError={() => settle("failed")}
        />
      )}
    </span>
  );
}

export function CardBones() {
  return (
    <ul
      class="gallery waiting"
      aria-label={t("common.loadingLabel")}
      aria-busy="true"
    >
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
        label={t("templates.favoriteName", { name })}
        pressed={isFavorite}
        onPress={change}
      >
        <Icon name="star" isFilled={isFavorite} />
      </Button>
    </span>
  );
}

interface TemplateMenuProps {
  template: {
    id: string;
    name: string;
    folderId: string | null;
    isTrashed: boolean;
  };
  onChange: () => unknown;
}

/** The actions of a template; of one in the trash, the button to restore it. */
export function TemplateMenu({ template, onChange }: TemplateMenuProps) {
  const { id, name, isTrashed } = template;
  const at = `templates/${id}`;
  const change = async (changes: object) => {
    await askPublic(at, "PATCH", changes);
    await onChange();
  };
  const duplicate = async () => {
    const made = await askPublic<{ name: string }>(`${at}/duplicate`, "POST");
    toast(t("templates.copyWasCreated", { name: made.name, original: name }));
    await onChange();
  };
  const trash = async () => {
    await askPublic(at, "DELETE");
    toast(t("templates.nameWasMovedToTrash", { name }));
    await onChange();
  };
  const restore = async () => {
    await askPublic(`${at}/restore`, "POST");
    toast(t("assets.nameWasRestored", { name }));
    await onChange();
  };
  if (isTrashed)
    return (
      <Button label={t("common.restoreName", { name })} onPress={restore}>
        <Icon name="restore" size={18} />
        {t("common.restore")}
      </Button>
    );
  return (
    <EntryMenu
      name={name}
      actions={[
        {
          words: t("common.edit"),
          icon: "edit",
          onPress: () => go(`${at}/edit`),
        },
        renameAction(name, (to) => change({ name: to }), "font"),
        { words: t("common.duplicate"), icon: "copy", onPress: duplicate },
        moveAction("template", template, (folderId) => change({ folderId })),
        {
          words: t("common.moveToTrash"),
          icon: "trash",
          isGrave: true,
          onPress: trash,
        },
      ]}
    />
  );
}
