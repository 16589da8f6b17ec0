import type { TemplateShow } from "../../../../../../core/plugin-api/app-lists.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { Empty } from "../../ui/notice.js";

interface NoTemplatesProps {
  q: string;
  show: TemplateShow;
  isFolder: boolean;
}

/** Why there is nothing to see, and what to do about it. */
export function NoTemplates({ q, show, isFolder }: NoTemplatesProps) {
  if (q !== "")
    return (
      <Empty icon="search" title={`No template is called “${q}”`}>
        <p>Part of a name is enough; upper and lower case are the same.</p>
        <Button onPress={() => setQuery({ q: "" })}>Clear the search</Button>
      </Empty>
    );
  if (show === "trash")
    return (
      <Empty icon="trash" title="The trash is empty">
        <p>Templates that you move to the trash wait here to be restored.</p>
      </Empty>
    );
  if (show === "favorites")
    return (
      <Empty icon="star" title="No favourites yet">
        <p>Press the star on a template to find it here again.</p>
      </Empty>
    );
  if (isFolder)
    return (
      <Empty icon="folder" title="Nothing in this folder yet">
        <p>Drag a template onto it, or choose “Move” in a template’s menu.</p>
      </Empty>
    );
  return (
    <Empty icon="templates" title="No templates yet">
      <p>Start with a blank page, or with an example that you make your own.</p>
      {may("editor") && (
        <Link class="button primary" to="templates/new">
          New template
        </Link>
      )}
    </Empty>
  );
}
