import { Link } from "../link.js";
import { otherEntries } from "../menu.js";
import { Icon } from "../ui/icon.js";
import { PageTitle } from "../ui/page-title.js";

/** Where a phone's bar has no room to lead. */
export function MorePage() {
  return (
    <>
      <PageTitle title="More" />
      <ul class="card lines">
        {otherEntries().map(({ to, icon, words }) => (
          <li class="line" key={to}>
            <Link class="strong leads" to={to}>
              <Icon name={icon} />
              {words}
              <Icon name="next" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
