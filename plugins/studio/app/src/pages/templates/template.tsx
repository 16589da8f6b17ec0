import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { momentOf } from "../../format.js";
import { Link, place, setQuery } from "../../router.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { RenderPanel } from "./render-panel.js";
import { FavoriteButton, TemplateMenu, Thumbnail } from "./templates.js";
import { copyText } from "../../ui/dialog.js";

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
        <Fault what="Couldn't load the template" why={fault} onRetry={reload} />
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
        {template.isTrashed && <span class="badge warn">In trash</span>}
        {!template.isActive && <span class="badge warn">Inactive</span>}
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
              Add a button to your spreadsheet
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
        legend="Template view"
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

/** Details of a template, including the ID that API requests need. */
function TemplateFacts({ template }: { template: Template }) {
  const { id, templateType, isActive, version, dataSource } = template;
  return (
    <dl class="card padded facts">
      <dt>ID</dt>
      <dd class="row">
        <code>{id}</code>
        <Button
          kind="quiet"
          isIcon
          label="Copy ID"
          onPress={() => copyText(id, "ID copied.")}
        >
          <Icon name="copy" />
        </Button>
      </dd>
      <dt>Type</dt>
      <dd>{templateType === "email" ? "Email" : "Document"}</dd>
      <dt>State</dt>
      <dd>{isActive ? "Active" : "Inactive: it can't be rendered"}</dd>
      <dt>Latest version</dt>
      <dd>{version}</dd>
      <dt>Data source</dt>
      <dd>{dataSource?.platform ?? "API requests only"}</dd>
      <dt>Documents</dt>
      <dd>
        <Link to={`documents?template=${id}`}>Show documents</Link>
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

/** The versions of a template, newest first. */
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
      <Fault what="Couldn't load the versions" why={fault} onRetry={reload} />
    );
  if (!data) return null;
  if (data.length === 0)
    return (
      <Empty icon="templates" title="No versions yet">
        <p>A version is a snapshot of the template.</p>
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
