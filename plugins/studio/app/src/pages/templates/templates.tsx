import type { TemplateShow as Show } from "../../../../../../core/plugin-api/app-lists.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { place, setQuery } from "../../router.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { PageTitle } from "../../ui/page-title.js";
import { SearchField } from "../../ui/search-field.js";
import { FolderFrame } from "../folders/folder-frame.js";
import { placeAsked } from "../folders/folder-place.js";
import { useLibrary } from "../folders/use-library.js";
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
  const library = useLibrary("template", cards.reload);
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
