import type { TemplateShow as Show } from "../../../../../../core/contract/app-lists.js";
import { askPublic } from "../../api.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { place, setQuery } from "../../router.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { PageTitle } from "../../ui/page-title.js";
import { FolderFrame } from "../folders/folder-frame.js";
import { type FolderPlace, placeAsked } from "../folders/folder-place.js";
import { useFolders } from "../folders/folder-tree.js";
import { TemplateGallery, useCards } from "./template-gallery.js";

const shows: [Show, string][] = [
  ["all", "All"],
  ["favorites", "Favourites"],
  ["recent", "Recently changed"],
];

export function TemplatesPage() {
  const { searchParams } = place.value;
  const q = searchParams.get("q") ?? "";
  const shown = placeAsked();
  const filter = shows.find(([one]) => one === searchParams.get("show"))?.[0];
  const show = shown.show === "trash" ? "trash" : (filter ?? "all");
  const cards = useCards({ q, show, folderId: shown.folderId });
  const folders = useFolders("template");
  const library = {
    kind: "template" as const,
    page: "templates",
    words: { all: "All templates" },
    folders: folders.data ?? [],
    place: shown,
    onFolders: folders.reload,
    onDrop: async (id: string, to: FolderPlace) => {
      await drop(id, to);
      await cards.reload();
    },
  };
  return (
    <>
      <PageTitle
        title="Templates"
        lead="Each makes a document of a record of data."
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

/** Where a card was let go. */
async function drop(id: string, { show, folderId }: FolderPlace) {
  if (show === "trash") await askPublic(`templates/${id}`, "DELETE");
  else await askPublic(`templates/${id}`, "PATCH", { folderId });
}

function Bar({ q, show }: { q: string; show: Show }) {
  return (
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
