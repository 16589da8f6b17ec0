import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { Link, place, setQuery } from "../../router.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Fault, Empty } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { toast } from "../../ui/toast.js";
import { RenderPanel } from "./render-panel.js";
import { FavoriteButton, TemplateMenu, Thumbnail } from "./templates.js";

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

/** What else there is to know of a template; its id above all, which programs need. */
function TemplateFacts({ template }: { template: Template }) {
  const { id, templateType, isActive, version, dataSource } = template;
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    toast("The id was copied.");
  };
  return (
    <dl class="card padded facts">
      <dt>Id</dt>
      <dd class="row">
        <code>{id}</code>
        <Button kind="quiet" isIcon label="Copy the id" onPress={copy}>
          <Icon name="copy" />
        </Button>
      </dd>
      <dt>Kind</dt>
      <dd>{templateType === "email" ? "Email" : "Document"}</dd>
      <dt>State</dt>
      <dd>{isActive ? "Active" : "Not active: it cannot be rendered"}</dd>
      <dt>Newest version</dt>
      <dd>{version}</dd>
      <dt>Records from</dt>
      <dd>{dataSource?.platform ?? "Requests alone"}</dd>
      <dt>Made of it</dt>
      <dd>
        <Link to={`documents?template=${id}`}>Its documents</Link>
      </dd>
      <dt>Created</dt>
      <dd>{momentOf(template.createdAt)}</dd>
      <dt>Last changed</dt>
      <dd>{momentOf(template.updatedAt)}</dd>
    </dl>
  );
}

interface Version {
  id: string;
  version: number;
  description: string;
  createdAt: string;
  createdBy: { name: string };
}

/** The snapshots of a template, the newest first. */
function Versions({
  template,
  onTry,
}: {
  template: Template;
  onTry: (version: number) => void;
}) {
  const at = `templates/${template.id}/versions`;
  const { data, fault, reload } = useResource(at, () =>
    askPublic<Version[]>(at),
  );
  if (fault && !data)
    return (
      <Fault
        what="The versions could not be read"
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return null;
  if (data.length === 0)
    return (
      <Empty icon="templates" title="No versions yet">
        <p>A version keeps the template as it is at a moment.</p>
      </Empty>
    );
  return (
    <ol class="card lines">
      {data.map((one) => (
        <VersionLine one={one} onTry={onTry} key={one.id} />
      ))}
    </ol>
  );
}

function VersionLine({
  one,
  onTry,
}: {
  one: Version;
  onTry: (version: number) => void;
}) {
  return (
    <li class="line">
      <div class="words">
        <strong>Version {one.version}</strong>
        {one.description !== "" && <span>{one.description}</span>}
        <span class="muted small">
          {momentOf(one.createdAt)} by {one.createdBy.name}
        </span>
      </div>
      <Button
        label={`Try it: version ${one.version}`}
        onPress={() => onTry(one.version)}
      >
        Try it
      </Button>
    </li>
  );
}
