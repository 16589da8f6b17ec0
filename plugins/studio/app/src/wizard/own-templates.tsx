import { useState } from "preact/hooks";
import type { TemplateCard } from "../../../../../core/plugin-api/app-lists.js";
import { ask } from "../api.js";
import { agoOf } from "../format.js";
import { useResource } from "../resource.js";
import { Bones } from "../ui/bones.js";
import { Fault } from "../ui/notice.js";
import { Pick } from "./pick.js";
import { SearchField } from "../ui/search-field.js";

interface OwnTemplatesProps {
  chosen: string;
  onUse: (templateId: string) => void;
}

const mostShown = 6;

/** The organization's templates, those changed last first; the rest by searching. */
export function OwnTemplates({ chosen, onUse }: OwnTemplatesProps) {
  const [search, setSearch] = useState("");
  const found = useResource(search, () => read(search));
  const { data, isCurrent, fault, reload } = found;
  const isEmpty = isCurrent && data?.total === 0;
  if (isEmpty && search === "") return null;
  return (
    <section class="stack close" aria-labelledby="own-templates">
      <h2 id="own-templates">Use one of your templates</h2>
      <SearchField
        words="Search templates by name"
        value={search}
        onSearch={setSearch}
      />
      {fault !== null && (
        <Fault
          what="The templates could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!data && fault === null && <Bones count={2} />}
      {isEmpty && <p class="muted small">No template is called “{search}”.</p>}
      {data && <Found {...data} chosen={chosen} onUse={onUse} />}
    </section>
  );
}

type FoundProps = OwnTemplatesProps & Templates;

function Found({ data, total, chosen, onUse }: FoundProps) {
  if (total === 0) return null;
  return (
    <>
      <ul class="card picks">
        {data.slice(0, mostShown).map((one) => (
          <li key={one.id}>
            <Pick
              title={one.name}
              isChosen={one.id === chosen}
              onPick={() => onUse(one.id)}
            >
              <span class="muted small">
                {one.templateType === "email" ? "Email" : "Document"}, changed{" "}
                {agoOf(one.updatedAt)}
              </span>
            </Pick>
          </li>
        ))}
      </ul>
      {total > mostShown && (
        <p class="muted small">
          {mostShown} of {total}. Search for the others.
        </p>
      )}
    </>
  );
}

interface Templates {
  data: TemplateCard[];
  total: number;
}

function read(q: string): Promise<Templates> {
  const query = new URLSearchParams({ q, show: "recent", page: "1" });
  return ask(`templates?${query.toString()}`);
}
