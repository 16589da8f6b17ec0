import { Link } from "../link.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";

export function MissingPage() {
  return (
    <>
      <PageTitle title="There is no such page" />
      <div class="card">
        <Empty icon="search" title="Nothing is at this address">
          <p>It may have been mistyped, or the page may have moved.</p>
          <Link class="button" to="templates">
            To the templates
          </Link>
        </Empty>
      </div>
    </>
  );
}
