import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { Link } from "../../link.js";
import { may } from "../../me.js";
import { place, setQuery } from "../../router.js";
import { useResource } from "../../resource.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { FavoriteButton } from "./favorite-button.js";
import { RenderPanel } from "./render-panel.js";
import { TemplateMenu } from "./template-menu.js";
import { Thumbnail } from "./template-card.js";
import { TemplateFacts } from "./template-facts.js";
import { Versions } from "./versions.js";

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
  definition: { sample?: unknown };
}

export function TemplatePage({ id }: { id: string }) {
  const template = useResource(id, () =>
    askPublic<Template>(`templates/${id}`),
  );
  const { data, fault, reload } = template;
  return (
    <>
      <Link class="crumb" to="templates">
        <Icon name="back" size={16} />
        Templates
      </Link>
      {fault && !data && (
        <Fault
          what="The template could not be opened"
          why={fault}
          onRetry={reload}
        />
      )}
      {data && <Opened template={data} onChange={reload} />}
    </>
  );
}

interface OpenedProps {
  template: Template;
  onChange: () => unknown;
}

function Opened({ template, onChange }: OpenedProps) {
  return (
    <>
      <PageTitle title={template.name} lead={template.description}>
        {template.isTrashed && <span class="badge warn">In the trash</span>}
        {!template.isActive && <span class="badge warn">Not active</span>}
        {may("editor") && <Actions template={template} onChange={onChange} />}
      </PageTitle>
      <div class="split">
        <div class="stack">
          <div class="card paper">
            <Thumbnail
              url={template.thumbnailUrl}
              key={template.thumbnailUrl}
            />
          </div>
          {may("editor") && template.isActive && !template.isTrashed && (
            <Link class="button" to={`start/connect?template=${template.id}`}>
              <Icon name="table" />
              Put a button into your spreadsheet
            </Link>
          )}
        </div>
        <Tabs template={template} />
      </div>
    </>
  );
}

function Actions({ template, onChange }: OpenedProps) {
  return (
    <span class="row title-star">
      <FavoriteButton template={template} onChange={onChange} />
      <TemplateMenu template={template} onChange={onChange} />
      {!template.isTrashed && (
        <Link class="button primary" to={`templates/${template.id}/edit`}>
          <Icon name="edit" />
          Edit
        </Link>
      )}
    </span>
  );
}

type Tab = "try" | "versions" | "details";

const tabs: [Tab, string][] = [
  ["try", "Try it"],
  ["versions", "Versions"],
  ["details", "Details"],
];

function Tabs({ template }: { template: Template }) {
  const [version, setVersion] = useState<number | null>(null);
  const asked = place.value.searchParams.get("tab");
  const shown = tabs.find(([one]) => one === asked)?.[0] ?? "try";
  const tryVersion = (one: number) => {
    setVersion(one);
    setQuery({ tab: "" });
  };
  return (
    <div class="stack">
      <Choices
        legend="What to see of the template"
        options={tabs}
        value={shown}
        onChoose={(one) => setQuery({ tab: one === "try" ? "" : one })}
      />
      {/* Kept while another is shown, so that what was typed is not lost. */}
      <div hidden={shown !== "try"}>
        <RenderPanel
          template={template}
          version={version}
          onLive={() => setVersion(null)}
        />
      </div>
      {shown === "versions" && (
        <Versions template={template} onTry={tryVersion} />
      )}
      {shown === "details" && <TemplateFacts template={template} />}
    </div>
  );
}
