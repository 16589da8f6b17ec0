import { useState } from "preact/hooks";
import { ask, askPublic, type Schemas } from "../../api.js";
import { momentOf } from "../../format.js";
import { Link, place, setQuery } from "../../router.js";
import { may } from "../../session.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/form.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { Crumb, PageTitle } from "../../ui/page-title.js";
import { TemplateButtons } from "../buttons.js";
import { RenderPanel } from "./render-panel.js";
import { TemplateDeliveries } from "./template-deliveries.js";
import {
  FavoriteButton,
  TemplateMenu,
  Thumbnail,
  type Template,
} from "./templates.js";
import { copyText } from "../../ui/dialog.js";
import { t } from "../../messages/index.js";

export function TemplatePage({ id }: { id: string }) {
  const template = useResource(id, () =>
    askPublic<Template>(`templates/${id}`),
  );
  const { data, fault, reload } = template;
  return (
    <>
      <Crumb to="templates">{t("shell.templates")}</Crumb>
      {fault && !data && (
        <Fault
          what={t("templates.couldntLoadTemplate")}
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
        <UnpublishedBadge template={template} />
        {template.isTrashed && (
          <span class="badge warn">{t("templates.inTrash")}</span>
        )}
        {!template.isActive && (
          <span class="badge warn">{t("templates.inactive")}</span>
        )}
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
            <>
              <Link class="button" to={`templates/${template.id}/file`}>
                <Icon name="upload" />
                {t("fromFile.title")}
              </Link>
              <Link class="button" to={`start/connect?template=${template.id}`}>
                <Icon name="table" />
                {t("templates.addButtonToYourSpreadsheet")}
              </Link>
            </>
          )}
          <TemplateButtons templateId={template.id} />
        </div>
        <Tabs template={template} onChange={onChange} />
      </div>
    </>
  );
}

/** Says that documents do not use the latest changes yet. The page is complete without it. */
function UnpublishedBadge({ template: { id, updatedAt } }: BadgeProps) {
  const { data } = useResource(`${id} ${updatedAt}`, () =>
    ask<{ hasUnpublishedChanges: boolean }>(`templates/${id}`),
  );
  if (data?.hasUnpublishedChanges !== true) return null;
  return <span class="badge">{t("templates.unpublishedChanges")}</span>;
}

interface BadgeProps {
  template: Pick<Template, "id" | "updatedAt">;
}

function Actions({ template, onChange }: OpenedProps) {
  return (
    <span class="row title-star">
      <FavoriteButton template={template} onChange={onChange} />
      <TemplateMenu template={template} onChange={onChange} />
      {!template.isTrashed && (
        <Link class="button primary" to={`templates/${template.id}/edit`}>
          <Icon name="edit" />
          {t("common.edit")}
        </Link>
      )}
    </span>
  );
}

type Tab = "try" | "deliver" | "versions" | "details";

const tabs: [Tab, string][] = [
  ["try", t("templates.tryIt")],
  ["deliver", t("deliveries.delivery")],
  ["versions", t("common.versions")],
  ["details", t("templates.details")],
];

function Tabs({ template, onChange }: OpenedProps) {
  const [version, setVersion] = useState<number | null>(null);
  const requestedTab = place.value.searchParams.get("tab");
  const tab = tabs.find(([key]) => key === requestedTab)?.[0] ?? "try";
  const tryVersion = (versionNumber: number) => {
    setVersion(versionNumber);
    setQuery({ tab: "" });
  };
  return (
    <div class="stack">
      <Choices
        legend={t("templates.templateView")}
        options={tabs}
        value={tab}
        onChoose={(chosen) => setQuery({ tab: chosen === "try" ? "" : chosen })}
      />
      {/* Kept while another is shown, so that what was typed is not lost. */}
      <div hidden={tab !== "try"}>
        <RenderPanel
          template={template}
          version={version}
          onLive={() => setVersion(null)}
        />
      </div>
      {tab === "deliver" && (
        <TemplateDeliveries template={template} onChange={onChange} />
      )}
      {tab === "versions" && (
        <Versions template={template} onTry={tryVersion} />
      )}
      {tab === "details" && <TemplateFacts template={template} />}
    </div>
  );
}

/** Details of a template, including the ID that API requests need. */
function TemplateFacts({ template }: { template: Template }) {
  const { id, templateType, isActive, version, dataSource } = template;
  return (
    <dl class="card padded facts">
      <dt>{t("common.id")}</dt>
      <dd class="row">
        <code>{id}</code>
        <Button
          kind="quiet"
          isIcon
          label={t("templates.copyId")}
          onPress={() => copyText(id, t("templates.idCopied"))}
        >
          <Icon name="copy" />
        </Button>
      </dd>
      <dt>{t("common.type")}</dt>
      <dd>
        {templateType === "email" ? t("common.email") : t("common.document")}
      </dd>
      <dt>{t("templates.state")}</dt>
      <dd>
        {isActive
          ? t("templates.active")
          : t("templates.inactiveItCantBeRendered")}
      </dd>
      <dt>{t("templates.latestVersion")}</dt>
      <dd>{version}</dd>
      <dt>{t("templates.dataSource")}</dt>
      <dd>{dataSource?.platform ?? t("templates.apiRequestsOnly")}</dd>
      <dt>{t("shell.documents")}</dt>
      <dd>
        <Link to={`documents?template=${id}`}>
          {t("templates.showDocuments")}
        </Link>
      </dd>
      <dt>{t("common.created")}</dt>
      <dd>{momentOf(template.createdAt)}</dd>
      <dt>{t("templates.lastChanged")}</dt>
      <dd>{momentOf(template.updatedAt)}</dd>
    </dl>
  );
}

type Version = Schemas["TemplateVersionListItem"];

/** Newest first. */
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
        what={t("versions.couldntLoadVersions")}
        why={fault}
        onRetry={reload}
      />
    );
  if (!data) return null;
  if (data.length === 0)
    return (
      <Empty icon="templates" title={t("common.noVersionsYet")}>
        <p>{t("templates.noVersionsHelp")}</p>
      </Empty>
    );
  return (
    <ol class="card lines">
      {data.map(({ id, version, description, createdAt, createdBy }) => (
        <li class="line" key={id}>
          <div class="words">
            <strong>{t("common.versionVersion", { version })}</strong>
            {description !== "" && <span>{description}</span>}
            <span class="muted small">
              {t("versions.timeByName", {
                time: momentOf(createdAt),
                name: createdBy.name,
              })}
            </span>
          </div>
          <Button
            label={t("templates.tryItVersionVersion", { version })}
            onPress={() => onTry(version)}
          >
            {t("templates.tryIt")}
          </Button>
        </li>
      ))}
    </ol>
  );
}
