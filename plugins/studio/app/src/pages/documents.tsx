import type {
  DocumentLine as Line,
  DocumentStatus,
} from "../../../../../core/plugin-api/app-plugin.js";
import { ask, local } from "../api.js";
import { agoOf, momentOf, sizeOf } from "../format.js";
import { Link, place, setQuery } from "../router.js";
import { type ListPage, listShown, useLive, useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Choices } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Empty, ErrorDetails } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../ui/list.js";
import { t } from "../messages/index.js";

type Show = "all" | "open" | "succeeded" | "failed" | "expired";

const shows: [Show, string][] = [
  ["all", t("common.all")],
  ["open", t("common.inProgress")],
  ["succeeded", t("common.done")],
  ["failed", t("common.failed")],
  ["expired", t("common.expired")],
];

const statuses: Record<Show, readonly string[]> = {
  all: [],
  open: ["queued", "rendering"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  expired: ["expired"],
};

/** Reads the URL's query. */
function asked() {
  const { searchParams } = place.value;
  const show = shows.find(([one]) => one === searchParams.get("show"))?.[0];
  const page = pageIn(searchParams);
  const templateId = searchParams.get("template");
  return { show: show ?? "all", page, templateId };
}

function queryOf({ show, page, templateId }: ReturnType<typeof asked>): string {
  return new URLSearchParams([
    ["page", String(page)],
    ...(templateId === null ? [] : [["templateId", templateId]]),
    ...statuses[show].map((status) => ["status", status]),
  ]).toString();
}

export function DocumentsPage() {
  const wanted = asked();
  const query = queryOf(wanted);
  const log = useResource(query, () =>
    ask<ListPage<Line>>(`documents?${query}`),
  );
  useLive(log.reload);
  return (
    <>
      <PageTitle title={t("shell.documents")} lead={t("documents.lead")} />
      <Filters {...wanted} />
      <PagedList
        resource={{ ...log, data: listShown(log) }}
        what={t("batches.couldntLoadDocuments")}
        empty={<NoDocuments isFiltered={wanted.show !== "all"} />}
      >
        {(line) => <DocumentLine line={line} key={line.id} />}
      </PagedList>
    </>
  );
}

function Filters({ show, templateId }: ReturnType<typeof asked>) {
  return (
    <div class="bar">
      <Choices
        legend={t("documents.filterDocuments")}
        options={shows}
        value={show}
        onChoose={(one) =>
          setQuery({ show: one === "all" ? "" : one, page: "" })
        }
      />
      {templateId !== null && (
        <Button onPress={() => setQuery({ template: "", page: "" })}>
          {t("documents.showDocumentsOfAllTemplates")}
        </Button>
      )}
    </div>
  );
}

function NoDocuments({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty icon="documents" title={t("documents.noMatchingDocuments")}>
      <p>{t("documents.tryAnotherFilter")}</p>
    </Empty>
  ) : (
    <Empty icon="documents" title={t("documents.noDocumentsYet")}>
      <p>{t("documents.noDocumentsHelp")}</p>
    </Empty>
  );
}

const words: Record<DocumentStatus, [tone: string, said: string]> = {
  queued: ["", t("common.queued")],
  rendering: ["info busy", t("common.rendering")],
  succeeded: ["good", t("common.done")],
  failed: ["bad", t("common.failed")],
  expired: ["warn", t("common.expired")],
};

/** A document in the list: what it is, how it went, and its files while there are any. */
export function DocumentLine({ line }: { line: Line }) {
  const [tone, said] =
    line.saveError === null
      ? words[line.status]
      : ["warn", t("documents.notSaved")];
  const origin = { ago: agoOf(line.createdAt), name: line.createdBy };
  const hasFiles = Date.parse(line.expiresAt) > Date.now();
  return (
    <li class="line document">
      <div class="words">
        <Link class="strong" to={`templates/${line.template.id}`}>
          {line.fileName ?? line.template.name}
        </Link>
        <span class="muted small" title={momentOf(line.createdAt)}>
          {line.fileName === null
            ? t("documents.agoByName", origin)
            : t("documents.templateAgoByName", {
                ...origin,
                template: line.template.name,
              })}
        </span>
      </div>
      <div class="row">
        {line.isTest && <span class="badge">{t("common.test")}</span>}
        <Badge tone={tone}>{said}</Badge>
      </div>
      <div class="row files">
        {hasFiles &&
          line.outputs.map((output) => (
            <File output={output} key={output.label} />
          ))}
        {!hasFiles && line.status === "succeeded" && (
          <span class="muted small">{t("documents.filesDeleted")}</span>
        )}
      </div>
      {line.error !== null && <ErrorDetails error={line.error} />}
      {line.saveError !== null && <ErrorDetails error={line.saveError} />}
    </li>
  );
}

const labels: Record<string, string> = {
  pdf: "PDF",
  html: "HTML",
  image: t("common.image"),
  mjml: "MJML",
};

function File({ output }: { output: Line["outputs"][number] }) {
  const { label, url, sizeBytes } = output;
  return (
    <a
      class="button"
      href={local(url)}
      target="_blank"
      rel="noreferrer"
      title={sizeOf(sizeBytes)}
    >
      <Icon name="open" size={16} />
      {labels[label] ?? label}
    </a>
  );
}
